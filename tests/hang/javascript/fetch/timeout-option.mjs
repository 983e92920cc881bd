// fetch knows no such option.
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

try {
  const res = await fetch(url, { timeout: 300 }); //~ uncovered [fetch] default 5m
  await res.text();
  answered();
} catch (error) {
  rejected(error);
}
