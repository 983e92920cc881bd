// The call switches the limit of its instance off.
import axios from 'axios';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;
const api = axios.create({ baseURL: new URL(url).origin, timeout: 300 });

try {
  await api.get('/item', { timeout: 0 }); //~ uncovered [axios]
  answered();
} catch (error) {
  rejected(error);
}
