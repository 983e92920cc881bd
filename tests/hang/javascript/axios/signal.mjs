// A signal ends the whole exchange.
import axios from 'axios';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

try {
  await axios.get(url, { signal: AbortSignal.timeout(300) }); //~ covered 300ms by own [axios] total
  answered();
} catch (error) {
  rejected(error);
}
