// The timer is cleared after the body.
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;
const controller = new AbortController();
const timer = setTimeout(() => controller.abort(), 300);

try {
  const res = await fetch(url, { signal: controller.signal }); //~ covered 300ms by own [fetch] total
  await res.text();
  clearTimeout(timer);
  answered();
} catch (error) {
  rejected(error);
}
