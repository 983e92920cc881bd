// One try, until its headers.
import OpenAI from 'openai';
import { answered, rejected } from '../outcome.mjs';

const client = new OpenAI({ apiKey: 'key', baseURL: `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}`, maxRetries: 0 });
const body = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };

try {
  await client.chat.completions.create(body, { timeout: 300 }); //~ partial 300ms by own [openai] headers
  answered();
} catch (error) {
  rejected(error);
}
