// The timer is cleared when the headers are there, and the body is never read.
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;
const controller = new AbortController();
const timer = setTimeout(() => controller.abort(), 300);

try {
  const res = await fetch(url, { method: 'HEAD', signal: controller.signal }); //~ covered 300ms by own [fetch]
  clearTimeout(timer);
  if (!res.ok) throw new Error(res.statusText);
  answered();
} catch (error) {
  rejected(error);
}
