// Connecting, then the gaps on the socket.
import request from 'request';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

request.get(url, { timeout: 300 }, (error) => (error ? rejected(error) : answered())); //~ covered 300ms by own [request] idle
