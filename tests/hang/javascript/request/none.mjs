// No limit anywhere.
import request from 'request';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

request(url, (error) => (error ? rejected(error) : answered())); //~ uncovered [request]
