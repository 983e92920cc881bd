// A signal ends all tries.
import Anthropic from '@anthropic-ai/sdk';
import { answered, rejected } from '../outcome.mjs';

const client = new Anthropic({ apiKey: 'key', baseURL: `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}` });
const body = { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'hi' }] };

try {
  await client.messages.create(body, { signal: AbortSignal.timeout(300) }); //~ covered 300ms by own [anthropic] total
  answered();
} catch (error) {
  rejected(error);
}
