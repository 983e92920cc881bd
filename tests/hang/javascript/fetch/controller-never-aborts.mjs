// A signal that nothing aborts.
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;
const controller = new AbortController();

try {
  const res = await fetch(url, { signal: controller.signal }); //~ uncovered [fetch] default 5m
  await res.text();
  answered();
} catch (error) {
  rejected(error);
}
