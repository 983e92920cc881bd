// The limit of a command ends when it is written, not when it is answered.
import { createClient } from 'redis';
import { answered, rejected } from '../outcome.mjs';

const client = createClient({ url: `redis://127.0.0.1:${process.env.SERVER_PORT ?? 6379}`, commandOptions: { timeout: 300 } });
client.on('error', (error) => console.error(error.name));
await client.connect();

try {
  await client.get('key'); //~ partial 300ms by client [redis] queue
  answered();
} catch (error) {
  rejected(error);
}
