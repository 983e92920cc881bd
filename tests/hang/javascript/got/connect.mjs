// Connecting is limited, the answer is not.
import got from 'got';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

try {
  await got(url, { timeout: { connect: 300 }, retry: { limit: 0 } }).text(); //~ partial 300ms by own [got] connect
  answered();
} catch (error) {
  rejected(error);
}
