// A signal ends the whole exchange.
import ky from 'ky';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

try {
  await ky.get(url, { signal: AbortSignal.timeout(300) }).text(); //~ covered 300ms by own [ky] total
  answered();
} catch (error) {
  rejected(error);
}
