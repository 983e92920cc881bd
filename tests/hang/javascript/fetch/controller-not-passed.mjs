// The timer aborts a signal that the call never got.
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;
const controller = new AbortController();
const timer = setTimeout(() => controller.abort(), 300);

try {
  const res = await fetch(url); //~ uncovered [fetch] default 5m
  await res.text();
  clearTimeout(timer);
  answered();
} catch (error) {
  rejected(error);
}
