// Each try has its limit, and a try that timed out is repeated twice.
// waits 3.2s between its tries
import got from 'got';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

try {
  await got(url, { timeout: { request: 300 } }).text(); //~ covered 300ms by own [got] total retries 2
  answered();
} catch (error) {
  rejected(error);
}
