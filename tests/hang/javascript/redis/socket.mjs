// The gaps on the socket.
import { createClient } from 'redis';
import { answered, rejected } from '../outcome.mjs';

const client = createClient({ url: `redis://127.0.0.1:${process.env.SERVER_PORT ?? 6379}`, socket: { socketTimeout: 300, reconnectStrategy: false } });
client.on('error', (error) => console.error(error.name));
await client.connect();

try {
  await client.get('key'); //~ covered 300ms by client [redis] idle
  answered();
} catch (error) {
  rejected(error);
}
