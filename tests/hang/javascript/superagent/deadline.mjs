// The same, by name.
import superagent from 'superagent';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

try {
  await superagent.get(url).timeout({ deadline: 300 }); //~ covered 300ms by own [superagent] total
  answered();
} catch (error) {
  rejected(error);
}
