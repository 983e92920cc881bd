// The agent starts the timer, the request hears it.
import http from 'node:http';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;
const agent = new http.Agent({ timeout: 300 });

const req = http.request(url, { agent }); //~ covered 300ms [node:http] idle
req.on('response', (res) => {
  res.on('end', answered);
  res.on('error', rejected);
  res.resume();
});
req.on('timeout', () => req.destroy(new Error('timed out')));
req.on('error', rejected);
req.end();
