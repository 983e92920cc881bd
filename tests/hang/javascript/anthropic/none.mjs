// Ten minutes a try, since nobody said otherwise.
import Anthropic from '@anthropic-ai/sdk';
import { answered, rejected } from '../outcome.mjs';

const client = new Anthropic({ apiKey: 'key', baseURL: `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}` });
const body = { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'hi' }] };

try {
  await client.messages.create(body); //~ uncovered [anthropic] default 10m
  answered();
} catch (error) {
  rejected(error);
}
