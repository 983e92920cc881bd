// Connecting is limited, the query is not.
import pg from 'pg';
import { answered, rejected } from '../outcome.mjs';

const pool = new pg.Pool({ host: '127.0.0.1', port: Number(process.env.SERVER_PORT ?? 5432), user: 'u', database: 'd', connectionTimeoutMillis: 300 });

try {
  await pool.query('SELECT 1'); //~ partial 300ms by client [pg] connect
  answered();
} catch (error) {
  rejected(error);
}
