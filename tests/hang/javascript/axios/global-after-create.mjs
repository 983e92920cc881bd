// An instance keeps the defaults that stood when it was made.
import axios from 'axios';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;
const api = axios.create();
axios.defaults.timeout = 300;

try {
  await api.get(url); //~ uncovered [axios]
  answered();
} catch (error) {
  rejected(error);
}
