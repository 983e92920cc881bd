// ky 2 limits its own reading of the body as well.
import ky from 'ky';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

try {
  await ky.get(url, { timeout: 300 }).json(); //~ covered 300ms by own [ky]
  answered();
} catch (error) {
  rejected(error);
}
