// Only the server would end the query, and it hangs.
import pg from 'pg';
import { answered, rejected } from '../outcome.mjs';

const pool = new pg.Pool({ host: '127.0.0.1', port: Number(process.env.SERVER_PORT ?? 5432), user: 'u', database: 'd', statement_timeout: 300 });

try {
  await pool.query('SELECT 1'); //~ partial 300ms by client [pg] server
  answered();
} catch (error) {
  rejected(error);
}
