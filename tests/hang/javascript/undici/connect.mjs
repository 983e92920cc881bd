// Connecting is limited, the answer is not.
import { Client } from 'undici';
import { answered, rejected } from '../outcome.mjs';

const origin = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}`;
const client = new Client(origin, { connectTimeout: 300 });

try {
  const { body } = await client.request({ path: '/item', method: 'GET' }); //~ partial 300ms by client [undici] connect
  await body.text();
  answered();
} catch (error) {
  rejected(error);
}
