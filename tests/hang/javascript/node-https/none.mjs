// Stuck in the handshake, and nothing ends it.
import https from 'node:https';
import { answered, rejected } from '../outcome.mjs';

const url = `https://127.0.0.1:${process.env.SERVER_PORT ?? 8443}/item`;

const req = https.request(url); //~ uncovered [node:http]
req.on('response', (res) => {
  res.on('end', answered);
  res.on('error', rejected);
  res.resume();
});
req.on('error', rejected);
req.end();
