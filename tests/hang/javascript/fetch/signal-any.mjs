// One of two signals is a timer.
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;
const stop = new AbortController();

try {
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(300)]);
  const res = await fetch(url, { signal }); //~ covered 300ms by own [fetch] total
  await res.json();
  answered();
} catch (error) {
  rejected(error);
}
