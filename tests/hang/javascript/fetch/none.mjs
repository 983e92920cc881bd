// Nothing set: 300 s to the headers, 300 s for each gap in the body.
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

try {
  const res = await fetch(url); //~ uncovered [fetch] default 5m
  await res.text();
  answered();
} catch (error) {
  rejected(error);
}
