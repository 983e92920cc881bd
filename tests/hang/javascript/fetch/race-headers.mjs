// The race ends with the headers; the body is read outside.
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;
const late = new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 300));

try {
  const res = await Promise.race([fetch(url), late]); //~ partial 300ms by scope [fetch] headers
  await res.text();
  answered();
} catch (error) {
  rejected(error);
}
