// Until the headers of each of three tries; the body has no limit.
// waits 1.6s between its tries
import Anthropic from '@anthropic-ai/sdk';
import { answered, rejected } from '../outcome.mjs';

const client = new Anthropic({ apiKey: 'key', baseURL: `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}`, timeout: 300 });
const body = { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'hi' }] };

try {
  await client.messages.create(body); //~ partial 300ms by client [anthropic] headers retries 2
  answered();
} catch (error) {
  rejected(error);
}
