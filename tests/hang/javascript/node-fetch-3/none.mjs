// No limit anywhere.
import fetch from 'node-fetch';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

try {
  const res = await fetch(url); //~ uncovered [node-fetch]
  await res.text();
  answered();
} catch (error) {
  rejected(error);
}
