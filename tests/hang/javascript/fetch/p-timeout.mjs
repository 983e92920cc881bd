// p-timeout ends the waiting.
import pTimeout from 'p-timeout';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;

try {
  await pTimeout(
    fetch(url).then((res) => res.text()), //~ covered 300ms by scope [fetch] wait
    { milliseconds: 300 },
  );
  answered();
} catch (error) {
  rejected(error);
}
