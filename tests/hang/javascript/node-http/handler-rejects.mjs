// The handler gives up waiting and leaves the request open.
import http from 'node:http';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

new Promise((resolve, reject) => {
  const req = http.request(url, { timeout: 300 }); //~ covered 300ms by own [node:http]
  req.on('response', (res) => {
    res.on('end', resolve);
    res.on('error', reject);
    res.resume();
  });
  req.on('timeout', () => reject(new Error('slow')));
  req.on('error', reject);
  req.end();
}).then(answered, rejected);
