// The instance has the limit.
import axios from 'axios';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;
const api = axios.create({ baseURL: new URL(url).origin, timeout: 300 });

try {
  await api.get('/item'); //~ covered 300ms by client [axios] idle
  answered();
} catch (error) {
  rejected(error);
}
