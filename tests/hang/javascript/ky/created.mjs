// The instance has the limit, until the headers alone.
import ky from 'ky';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;
const api = ky.create({ prefixUrl: new URL(url).origin, timeout: 300 });

try {
  await api.get('item').json(); //~ partial 300ms by client [ky] headers
  answered();
} catch (error) {
  rejected(error);
}
