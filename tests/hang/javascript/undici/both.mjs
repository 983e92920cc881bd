// Headers and every gap in the body.
import { request } from 'undici';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

try {
  const { body } = await request(url, { headersTimeout: 300, bodyTimeout: 300 }); //~ covered 300ms by own [undici] idle
  await body.text();
  answered();
} catch (error) {
  rejected(error);
}
