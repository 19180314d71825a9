import pg from 'pg';
import type { Logger } from 'pino';
import type { Database, Sql } from '../database.ts';
import { errorMessage } from '../error-message.ts';
import { openConnectionPool, type RunQuery } from './connection-pool.ts';
import { openListener } from './notification-listener.ts';
import { isTransactionConflict } from './postgres-errors.ts';

/** The server's own time limit ends earlier, so that its error is the one reported. */
const RESPONSE_MARGIN_MS = 2_000;
/** TCP keep-alive of connections. The system's default is two hours. */
const KEEP_ALIVE_MS = 10_000;
const MAX_ATTEMPTS = 3;

/** Time limits in milliseconds. */
interface TimeLimits {
  /** For a free or new connection. */
  readonly connect: number;
  /** For one statement. The longest ones delete a few thousand rows. */
  readonly statement: number;
  /** Between two checks that notifications arrive. */
  readonly echo: number;
}

const defaultTimeLimits: TimeLimits = { connect: 5_000, statement: 10_000, echo: 10_000 };

/** Options for a PostgreSQL database. */
export interface PostgresOptions {
  /** Address for notifications: a direct one, if the other leads to a pooler. Default: the same. */
  readonly listenUrl?: string | undefined;
  readonly timeLimits?: TimeLimits;
}

/**
 * Opens a PostgreSQL database. No statement relies on session state, so a transaction pooler may stand in between. No
 * notification comes through such a pooler, so listeners also poll.
 *
 * @throws Error if the server cannot be reached or refuses.
 */
export async function openPostgres(url: string, log: Logger, options: PostgresOptions = {}): Promise<Database> {
  const { listenUrl = url, timeLimits = defaultTimeLimits } = options;
  const config: pg.ClientConfig = {
    application_name: 'millrace',
    connectionTimeoutMillis: timeLimits.connect,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
  const responseTimeout = timeLimits.statement + RESPONSE_MARGIN_MS;
  const connections = await openConnectionPool(
    { ...config, connectionString: url, statement_timeout: timeLimits.statement },
    responseTimeout,
    log,
  ).catch((error: unknown) => {
    throw new Error(`The database of DATABASE_URL cannot be opened: ${errorMessage(error)}`, { cause: error });
  });
  const query = <Row>(text: string, parameters?: readonly unknown[]) =>
    retryOnConflict(() => connections.withConnection((run) => run<Row>(text, parameters)));
  const listener = openListener({
    newClient: () => new pg.Client({ ...config, connectionString: listenUrl, query_timeout: responseTimeout }),
    notify: async (channel) => {
      await query('select pg_notify($1, $2)', [channel, '']);
    },
    checkInterval: timeLimits.echo,
    log,
  });
  return {
    query,
    transaction: (work, limit = timeLimits.statement) =>
      retryOnConflict(() => connections.withConnection((run) => transaction(run, work, limit))),
    listen: (channel, callback) => listener.listen(channel, callback),
    state: () => ({ ...connections.state(), listening: listener.listening }),
    async close() {
      await listener.close();
      await connections.close();
    },
  };
}

/** Retries work that lost to concurrent work (a deadlock, for example). */
async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isTransactionConflict(error)) throw error;
    }
  }
}

async function transaction<T>(run: RunQuery, work: (sql: Sql) => Promise<T>, limit: number): Promise<T> {
  try {
    // Of this transaction alone, since a pooler gives the connection to others after it.
    await run(
      `begin; set local statement_timeout = ${limit}; set local idle_in_transaction_session_timeout = ${limit}`,
    );
    const result = await work({ query: (text, parameters) => run(text, parameters, limit + RESPONSE_MARGIN_MS) });
    await run('commit');
    return result;
  } catch (error) {
    // If that fails, the transaction ends with the connection.
    await run('rollback').catch(() => undefined);
    throw error;
  }
}
