// Connecting is limited, a command is not.
import { createClient } from 'redis';
import { answered, rejected } from '../outcome.mjs';

const client = createClient({ url: `redis://127.0.0.1:${process.env.SERVER_PORT ?? 6379}`, socket: { connectTimeout: 300 } });
client.on('error', (error) => console.error(error.name));
await client.connect();

try {
  await client.get('key'); //~ partial 300ms by client [redis] connect
  answered();
} catch (error) {
  rejected(error);
}
