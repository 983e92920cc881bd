// A signal ends the whole exchange.
import { request } from 'undici';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

try {
  const { body } = await request(url, { signal: AbortSignal.timeout(300) }); //~ covered 300ms by own [undici] total
  await body.text();
  answered();
} catch (error) {
  rejected(error);
}
