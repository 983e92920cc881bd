// The default is switched off.
import ky from 'ky';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

try {
  await ky.get(url, { timeout: false }).text(); //~ uncovered [ky]
  answered();
} catch (error) {
  rejected(error);
}
