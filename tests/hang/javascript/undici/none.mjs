// Nothing set: 300 s to the headers, 300 s for each gap in the body.
import { request } from 'undici';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

try {
  const { body } = await request(url); //~ uncovered [undici] default 5m
  await body.text();
  answered();
} catch (error) {
  rejected(error);
}
