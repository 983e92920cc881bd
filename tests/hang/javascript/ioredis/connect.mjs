// Connecting is limited, a command is not.
import Redis from 'ioredis';
import { answered, rejected } from '../outcome.mjs';

const redis = new Redis({ host: '127.0.0.1', port: Number(process.env.SERVER_PORT ?? 6379), connectTimeout: 300 });

try {
  await redis.get('key'); //~ partial 300ms by client [ioredis] connect
  answered();
} catch (error) {
  rejected(error);
}
