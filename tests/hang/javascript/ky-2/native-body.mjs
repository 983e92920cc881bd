// Reading the plain response is outside of the limit.
import ky from 'ky';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

try {
  const res = await ky.get(url, { timeout: 300 }); //~ partial 300ms by own [ky] headers
  await res.text();
  answered();
} catch (error) {
  rejected(error);
}
