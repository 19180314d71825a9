import pg from 'pg';
import type { Logger } from 'pino';
import type { Database, Sql } from './database.ts';
import { openListener } from './listener.ts';

const MAX_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 5_000;
/** The longest statements are deletions of a few thousand rows. A server that is silent for longer is not there. */
const STATEMENT_TIMEOUT_MS = 15_000;
/** Longer than the server's own limit, so that it speaks first where it can. */
const ANSWER_TIMEOUT_MS = 20_000;

/**
 * Opens a PostgreSQL database. No statement relies on the state of a session, so a pooler that hands connections out by
 * transaction may stand in between; through such a one `listen` hears nothing, and what relies on it also looks from
 * time to time.
 *
 * @throws Error when the server is out of reach or refuses.
 */
export async function openPostgres(url: string, log: Logger): Promise<Database> {
  const connection: pg.ClientConfig = {
    connectionString: url,
    application_name: 'millrace',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
  };
  const pool = new pg.Pool({ ...connection, max: MAX_CONNECTIONS, idleTimeoutMillis: 30_000 });
  pool.on('error', (error) => log.warn({ err: error }, 'an idle connection to the database broke'));
  const listener = openListener(() => new pg.Client({ ...connection, query_timeout: 0 }), log);
  try {
    await pool.query('select 1');
  } catch (error) {
    await pool.end();
    throw new Error(`The database of DATABASE_URL cannot be opened: ${messageOf(error)}`, { cause: error });
  }
  return {
    query: (text, parameters) => rows(pool, text, parameters),
    transaction: (work) => transaction(pool, work),
    listen: (channel, heard) => listener.listen(channel, heard),
    state: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      listening: listener.listening,
    }),
    async close() {
      await listener.close();
      await pool.end();
    },
  };
}

async function transaction<T>(pool: pg.Pool, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onBreak = (error: Error) => {
    broken = error;
  };
  // The statement under way fails by itself; without a listener the event would end the process.
  client.on('error', onBreak);
  try {
    await client.query(`begin; set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
    const result = await work({ query: (text, parameters) => rows(client, text, parameters) });
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((failure: unknown) => {
      // What is left of the transaction goes with the connection.
      broken ??= failure instanceof Error ? failure : new Error(String(failure));
    });
    throw error;
  } finally {
    client.off('error', onBreak);
    client.release(broken);
  }
}

async function rows<Row>(
  client: Pick<pg.ClientBase, 'query'>,
  text: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  // The schema in `migrations/` is what makes the rows what the caller says they are.
  const result = await client.query(text, [...parameters]);
  return result.rows as Row[];
}

function messageOf(error: unknown): string {
  // Node tells a refused connection as one error for each address, without a message of its own.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
