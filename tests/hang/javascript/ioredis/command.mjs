// Each command has a limit, from the moment of the call.
import Redis from 'ioredis';
import { answered, rejected } from '../outcome.mjs';

const redis = new Redis({ host: '127.0.0.1', port: Number(process.env.SERVER_PORT ?? 6379), commandTimeout: 300 });

try {
  await redis.get('key'); //~ covered 300ms by client [ioredis] total
  answered();
} catch (error) {
  rejected(error);
}
