// The dispatcher of the whole process has both limits.
import { Agent, setGlobalDispatcher } from 'undici';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;
setGlobalDispatcher(new Agent({ headersTimeout: 300, bodyTimeout: 300 }));

try {
  const res = await fetch(url); //~ covered 300ms by global [fetch] idle
  await res.text();
  answered();
} catch (error) {
  rejected(error);
}
