// Zero switches the defaults off too.
import { request } from 'undici';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

try {
  const { body } = await request(url, { headersTimeout: 0, bodyTimeout: 0 }); //~ uncovered [undici]
  await body.text();
  answered();
} catch (error) {
  rejected(error);
}
