// Ten seconds to connect, and nothing limits a command.
import Redis from 'ioredis';
import { answered, rejected } from '../outcome.mjs';

const redis = new Redis({ host: '127.0.0.1', port: Number(process.env.SERVER_PORT ?? 6379) });

try {
  await redis.get('key'); //~ partial 10s by default [ioredis] connect
  answered();
} catch (error) {
  rejected(error);
}
