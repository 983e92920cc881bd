// ky 1 clears its timer when the headers are there.
import ky from 'ky';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

try {
  await ky.get(url, { timeout: 300 }).text(); //~ partial 300ms by own [ky] headers
  answered();
} catch (error) {
  rejected(error);
}
