import pg from 'pg';
import type { Logger } from 'pino';
import type { Database, Sql } from '../database.ts';
import { errorMessage } from '../error-message.ts';
import { openConnectionPool, type RunQuery } from './connection-pool.ts';
import { openListener } from './notification-listener.ts';
import { isTransactionConflict } from './postgres-errors.ts';

/** The server's own time limit is shorter by this many milliseconds, so that its error is reported. */
const RESPONSE_MARGIN_MS = 2_000;
/** TCP keep-alive of connections. The system's default is two hours. */
const KEEP_ALIVE_MS = 10_000;
const MAX_ATTEMPTS = 3;

/** Time limits in milliseconds. */
interface TimeLimits {
  /** Maximum time for a free or new connection. */
  readonly connect: number;
  /** Maximum time of one statement. The longest ones delete a few thousand rows. */
  readonly statement: number;
  /** Interval between two checks that notifications arrive. */
  readonly echo: number;
}

const defaultTimeLimits: TimeLimits = { connect: 5_000, statement: 10_000, echo: 10_000 };

/** Options for a PostgreSQL database. */
export interface PostgresOptions {
  /** Address for notifications: a direct one if the main address belongs to a pooler. Default: the main address. */
  readonly listenUrl?: string | undefined;
  readonly timeLimits?: TimeLimits;
}

/**
 * Opens a PostgreSQL database. No statement relies on session state, so the connection may go through a transaction
 * pooler. Notifications do not pass through such a pooler, so listeners also poll.
 *
 * @throws Error if the server is unreachable or refuses the connection.
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
    throw new Error(`The database in DATABASE_URL cannot be opened: ${errorMessage(error)}`, { cause: error });
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

/** Retries work that conflicted with concurrent work (a deadlock, for example). */
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
    // The limits apply to this transaction only, because a pooler later gives the connection to other clients.
    await run(
      `begin; set local statement_timeout = ${limit}; set local idle_in_transaction_session_timeout = ${limit}`,
    );
    const result = await work({ query: (text, parameters) => run(text, parameters, limit + RESPONSE_MARGIN_MS) });
    await run('commit');
    return result;
  } catch (error) {
    // If the rollback fails, the transaction ends with the connection.
    await run('rollback').catch(() => undefined);
    throw error;
  }
}
