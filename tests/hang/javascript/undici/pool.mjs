// The pool was made with both limits.
import { Pool } from 'undici';
import { answered, rejected } from '../outcome.mjs';

const origin = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}`;
const pool = new Pool(origin, { headersTimeout: 300, bodyTimeout: 300 });

try {
  const { body } = await pool.request({ path: '/item', method: 'GET' }); //~ covered 300ms by client [undici] idle
  await body.text();
  answered();
} catch (error) {
  rejected(error);
}
