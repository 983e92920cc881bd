// A signal ends all tries.
import OpenAI from 'openai';
import { answered, rejected } from '../outcome.mjs';

const client = new OpenAI({ apiKey: 'key', baseURL: `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}` });
const body = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };

try {
  await client.chat.completions.create(body, { signal: AbortSignal.timeout(300) }); //~ covered 300ms by own [openai] total
  answered();
} catch (error) {
  rejected(error);
}
