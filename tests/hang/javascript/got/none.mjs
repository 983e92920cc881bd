// No limit anywhere; a hang is never retried.
import got from 'got';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

try {
  await got(url).text(); //~ uncovered [got]
  answered();
} catch (error) {
  rejected(error);
}
