// A signal ends the whole exchange.
import got from 'got';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

try {
  await got(url, { signal: AbortSignal.timeout(300) }).text(); //~ covered 300ms by own [got] total
  answered();
} catch (error) {
  rejected(error);
}
