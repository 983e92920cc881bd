// No limit anywhere.
import superagent from 'superagent';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

try {
  await superagent.get(url); //~ uncovered [superagent]
  answered();
} catch (error) {
  rejected(error);
}
