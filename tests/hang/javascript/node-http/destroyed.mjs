// The option starts an idle timer, and the handler ends the request.
import http from 'node:http';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

const req = http.request(url, { timeout: 300 }); //~ covered 300ms by own [node:http] idle
req.on('response', (res) => {
  res.on('end', answered);
  res.on('error', rejected);
  res.resume();
});
req.on('timeout', () => req.destroy(new Error('timed out')));
req.on('error', rejected);
req.end();
