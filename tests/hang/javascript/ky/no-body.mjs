// Until the headers, and the body is never read.
import ky from 'ky';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

try {
  await ky.head(url, { timeout: 300 }); //~ covered 300ms by own [ky] headers
  answered();
} catch (error) {
  rejected(error);
}
