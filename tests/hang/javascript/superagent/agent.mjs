// The agent has the limit.
import superagent from 'superagent';
import { answered, rejected } from '../outcome.mjs';

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/item`;
const agent = superagent.agent().timeout(300);

try {
  await agent.get(url); //~ covered 300ms by client [superagent] total
  answered();
} catch (error) {
  rejected(error);
}
