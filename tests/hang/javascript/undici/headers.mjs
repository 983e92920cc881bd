// Until the headers alone; the body keeps its 300 s.
import { request } from 'undici';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

try {
  const { body } = await request(url, { headersTimeout: 300 }); //~ partial 300ms by own [undici] headers
  await body.text();
  answered();
} catch (error) {
  rejected(error);
}
