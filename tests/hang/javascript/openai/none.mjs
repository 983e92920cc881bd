// Ten minutes a try, since nobody said otherwise.
import OpenAI from 'openai';
import { answered, rejected } from '../outcome.mjs';

const client = new OpenAI({ apiKey: 'key', baseURL: `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}` });
const body = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };

try {
  await client.chat.completions.create(body); //~ uncovered [openai] default 10m
  answered();
} catch (error) {
  rejected(error);
}
