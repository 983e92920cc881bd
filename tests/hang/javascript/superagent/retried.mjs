// Two more tries, each with its own deadline.
import superagent from 'superagent';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

try {
  await superagent.get(url).retry(2).timeout(300); //~ covered 300ms by own [superagent] total retries 2
  answered();
} catch (error) {
  rejected(error);
}
