// The idle timer runs during the handshake too.
import https from 'node:https';
import { answered, rejected } from '../outcome.mjs';

const url = `https://127.0.0.1:${process.env.SERVER_PORT ?? 8443}/item`;

const req = https.request(url, { timeout: 300 }); //~ covered 300ms by own [node:http] idle
req.on('response', (res) => {
  res.on('end', answered);
  res.on('error', rejected);
  res.resume();
});
req.on('timeout', () => req.destroy());
req.on('error', rejected);
req.end();
