// Until the headers alone.
import superagent from 'superagent';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

try {
  await superagent.get(url).timeout({ response: 300 }); //~ partial 300ms by own [superagent] headers
  answered();
} catch (error) {
  rejected(error);
}
