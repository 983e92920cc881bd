// The defaults of an instance.
import request from 'request';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;
const api = request.defaults({ timeout: 300 });

api.get(url, (error) => (error ? rejected(error) : answered())); //~ covered 300ms by client [request] idle
