// The instance has the limit.
import got from 'got';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;
const api = got.extend({ timeout: { request: 300 }, retry: { limit: 0 } });

try {
  await api(url).text(); //~ covered 300ms by client [got] total
  answered();
} catch (error) {
  rejected(error);
}
