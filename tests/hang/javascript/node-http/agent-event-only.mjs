// The agent starts the timer, nobody hears it.
import http from 'node:http';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;
const agent = new http.Agent({ timeout: 300 });

const req = http.request(url, { agent }); //~ uncovered [node:http]
req.on('response', (res) => {
  res.on('end', answered);
  res.on('error', rejected);
  res.resume();
});
req.on('error', rejected);
req.end();
