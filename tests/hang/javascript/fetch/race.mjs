// The caller goes on, the request stays open.
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;
const late = new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 300));

try {
  const answer = fetch(url).then((res) => res.text()); //~ covered 300ms by scope [fetch] wait
  await Promise.race([answer, late]);
  answered();
} catch (error) {
  rejected(error);
}
