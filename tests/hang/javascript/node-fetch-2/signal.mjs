// A signal ends the whole exchange.
import fetch from 'node-fetch';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

try {
  const res = await fetch(url, { signal: AbortSignal.timeout(300) }); //~ covered 300ms by own [node-fetch] total
  await res.text();
  answered();
} catch (error) {
  rejected(error);
}
