// A timer of its own destroys the request, whatever comes.
import http from 'node:http';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

const req = http.request(url); //~ covered 300ms [node:http] total
req.on('response', (res) => {
  res.on('end', answered);
  res.on('error', rejected);
  res.resume();
});
setTimeout(() => req.destroy(new Error('timed out')), 300);
req.on('error', rejected);
req.end();
