// Zero is no limit.
import axios from 'axios';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

try {
  await axios.get(url, { timeout: 0 }); //~ uncovered [axios]
  answered();
} catch (error) {
  rejected(error);
}
