import pg from 'pg';
import type { Logger } from 'pino';
import { MillraceError } from '../../contract/errors.ts';
import { sleep } from '../../waiting/sleep.ts';
import type { DatabaseState } from '../database.ts';
import { isConnectionLost, isRejectedSetting, toServiceError } from './postgres-errors.ts';
import { runStatement, StatementTimeoutError } from './run-statement.ts';

const MAX_CONNECTIONS = 10;
/** Maximum waiting calls. Further ones are refused immediately, because they would only time out. */
const MAX_WAITING = 1_000;
const IDLE_TIMEOUT_MS = 30_000;
const CLOSE_TIMEOUT_MS = 5_000;

/**
 * Runs one statement on a connection.
 *
 * @param limit Time limit in milliseconds. Default: that of the connection.
 */
export type RunQuery = <Row>(text: string, parameters?: readonly unknown[], limit?: number) => Promise<Row[]>;

/** A bounded pool of connections. */
export interface ConnectionPool {
  /**
   * Lends a connection to one call at a time. Waits for a free one up to the connect timeout. Broken connections are
   * discarded.
   *
   * @throws MillraceError `service_unavailable`
   */
  withConnection<T>(work: (run: RunQuery) => Promise<T>): Promise<T>;
  /** Returns the numbers of connections, idle ones and waiting calls. */
  state(): Omit<DatabaseState, 'listening'>;
  close(): Promise<void>;
}

/**
 * Opens a pool and checks one connection. The server receives the time limit for statements, but a pooler may refuse to
 * pass it on.
 *
 * @param timeout Default time limit of statements, in milliseconds.
 * @throws Error if the server is unreachable or refuses the connection.
 */
export async function openConnectionPool(config: pg.PoolConfig, timeout: number, log: Logger): Promise<ConnectionPool> {
  try {
    return await checkFirst(createConnectionPool(config, timeout, log));
  } catch (error) {
    if (!isRejectedSetting(error)) throw error;
    log.warn(
      { err: error },
      'a pooler does not pass statement_timeout on, so statements outside of transactions have no limit on the server; ' +
        "set statement_timeout for the database's role",
    );
    const { statement_timeout, ...others } = config;
    return await checkFirst(createConnectionPool(others, timeout, log));
  }
}

async function checkFirst(connections: ConnectionPool): Promise<ConnectionPool> {
  try {
    await connections.withConnection((run) => run('select 1'));
    return connections;
  } catch (error) {
    await connections.close();
    throw error instanceof MillraceError ? error.cause : error;
  }
}

function createConnectionPool(config: pg.PoolConfig, timeout: number, log: Logger): ConnectionPool {
  let current = createPgPool(config, log);

  /** Replaces the pool: if one connection is dead, the idle ones are dead too. */
  function replacePool(deadPool: pg.Pool, error: unknown): void {
    if (deadPool !== current) return;
    log.warn({ err: error }, 'the database does not respond; opening new connections');
    current = createPgPool(config, log);
    endPool(deadPool).catch((failure: unknown) =>
      log.warn({ err: failure }, 'unresponsive connections could not be closed'),
    );
  }

  return {
    async withConnection(work) {
      const pool = current;
      if (pool.waitingCount >= MAX_WAITING) {
        throw new MillraceError('service_unavailable', 'The service is overloaded. Try again in a moment.');
      }
      const client = await pool.connect().catch((error: unknown) => {
        throw toServiceError(error);
      });
      let connectionError: Error | undefined;
      const onError = (error: Error) => {
        connectionError = error;
      };
      // The running statement fails separately. Without a listener the event would end the process.
      client.on('error', onError);
      const run: RunQuery = async <Row>(text: string, parameters: readonly unknown[] = [], limit = timeout) => {
        if (connectionError !== undefined) throw toServiceError(connectionError);
        try {
          // The schema in `migrations/` guarantees that the rows have the type that the caller declares.
          return (await runStatement(client, { text, parameters, limit })) as Row[];
        } catch (error) {
          // The caller's stack is more useful than that of the response reader.
          if (error instanceof Error) Error.captureStackTrace(error);
          if (isConnectionLost(error)) connectionError ??= error instanceof Error ? error : new Error(String(error));
          if (error instanceof StatementTimeoutError) replacePool(pool, error);
          throw toServiceError(error);
        }
      };
      try {
        return await work(run);
      } finally {
        client.off('error', onError);
        client.release(connectionError);
      }
    },
    state() {
      const { totalCount: open, idleCount: idle, waitingCount } = current;
      // The pool also queues calls that receive a connection at once.
      const available = idle + MAX_CONNECTIONS - open;
      return { open, idle, waiting: Math.max(waitingCount - available, 0) };
    },
    close: () => endPool(current),
  };
}

function createPgPool(config: pg.PoolConfig, log: Logger): pg.Pool {
  const pool = new pg.Pool({ ...config, max: MAX_CONNECTIONS, idleTimeoutMillis: IDLE_TIMEOUT_MS });
  return pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection broke'));
}

/** Ends a pool, with a time limit: a server that does not respond does not close connections either. */
async function endPool(pool: pg.Pool): Promise<void> {
  await Promise.race([pool.end(), sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
}
