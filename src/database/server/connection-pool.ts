import pg from 'pg';
import type { Logger } from 'pino';
import { MillraceError } from '../../contract/errors.ts';
import { sleep } from '../../waiting/sleep.ts';
import type { DatabaseState } from '../database.ts';
import { isConnectionLost, isRejectedSetting, toServiceError } from './postgres-errors.ts';
import { runStatement, StatementTimeoutError } from './run-statement.ts';

const MAX_CONNECTIONS = 10;
/** Further ones are refused at once: they would only wait for their time to run out. */
const MAX_WAITING = 1_000;
const IDLE_TIMEOUT_MS = 30_000;
const CLOSE_TIMEOUT_MS = 5_000;

/**
 * Runs one statement on a connection.
 *
 * @param limit Time limit in milliseconds. Default: that of the connections.
 */
export type RunQuery = <Row>(text: string, parameters?: readonly unknown[], limit?: number) => Promise<Row[]>;

/** A bounded pool of connections. */
export interface ConnectionPool {
  /**
   * Lends a connection, for one call at a time. Waits for a free one up to the time limit of connecting. Broken connections
   * are discarded.
   *
   * @throws MillraceError `service_unavailable`
   */
  withConnection<T>(work: (run: RunQuery) => Promise<T>): Promise<T>;
  /** The numbers of connections, idle ones and waiting calls. */
  state(): Omit<DatabaseState, 'listening'>;
  close(): Promise<void>;
}

/**
 * Opens a pool, and checks one connection. The server gets the time limit for statements; a pooler may refuse to pass it on.
 *
 * @param timeout Default time limit of statements, in milliseconds.
 * @throws Error if the server cannot be reached or refuses.
 */
export async function openConnectionPool(config: pg.PoolConfig, timeout: number, log: Logger): Promise<ConnectionPool> {
  try {
    return await checkFirst(createConnectionPool(config, timeout, log));
  } catch (error) {
    if (!isRejectedSetting(error)) throw error;
    log.warn(
      { err: error },
      'a pooler does not pass statement_timeout on, so statements outside of transactions have no limit on the server; ' +
        "give the database's role one",
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
    log.warn({ err: error }, 'the database does not answer; new connections are made');
    current = createPgPool(config, log);
    endPool(deadPool).catch((failure: unknown) => log.warn({ err: failure }, 'silent connections could not be closed'));
  }

  return {
    async withConnection(work) {
      const pool = current;
      if (pool.waitingCount >= MAX_WAITING) {
        throw new MillraceError(
          'service_unavailable',
          'The service has more to do than it can. Try again in a moment.',
        );
      }
      const client = await pool.connect().catch((error: unknown) => {
        throw toServiceError(error);
      });
      let connectionError: Error | undefined;
      const onError = (error: Error) => {
        connectionError = error;
      };
      // The running statement fails by itself. Without a listener the event would end the process.
      client.on('error', onError);
      const run: RunQuery = async <Row>(text: string, parameters: readonly unknown[] = [], limit = timeout) => {
        if (connectionError !== undefined) throw toServiceError(connectionError);
        try {
          // The schema in `migrations/` guarantees the caller's type of the rows.
          return (await runStatement(client, { text, parameters, limit })) as Row[];
        } catch (error) {
          // The stack of the caller helps more than that of the reader of the response.
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
    state: () => ({ open: current.totalCount, idle: current.idleCount, waiting: current.waitingCount }),
    close: () => endPool(current),
  };
}

function createPgPool(config: pg.PoolConfig, log: Logger): pg.Pool {
  const pool = new pg.Pool({ ...config, max: MAX_CONNECTIONS, idleTimeoutMillis: IDLE_TIMEOUT_MS });
  return pool.on('error', (error) => log.warn({ err: error }, 'an idle connection to the database broke'));
}

/** Ends a pool, with a time limit: a server that does not answer does not end connections either. */
async function endPool(pool: pg.Pool): Promise<void> {
  await Promise.race([pool.end(), sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
}
