// The default of all calls.
import axios from 'axios';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;
axios.defaults.timeout = 300;

try {
  await axios.get(url); //~ covered 300ms by global [axios] idle
  answered();
} catch (error) {
  rejected(error);
}
