// Ten seconds to the headers, since nobody said otherwise; the body has no limit.
import ky from 'ky';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

try {
  await ky.get(url).text(); //~ partial 10s by default [ky] headers
  answered();
} catch (error) {
  rejected(error);
}
