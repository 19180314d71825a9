import pg from 'pg';
import type { Logger } from 'pino';
import { MillraceError } from '../../contract/errors.ts';
import { sleep } from '../../waiting/sleep.ts';
import type { DatabaseState } from '../database.ts';
import { asFailure, isOutOfReach, refusesSettings } from './failures.ts';
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
export type Run = <Row>(text: string, parameters?: readonly unknown[], limit?: number) => Promise<Row[]>;

/** A bounded pool of connections. */
export interface Connections {
  /**
   * Lends a connection, for one call at a time. Waits for a free one up to the time limit of connecting. Broken connections
   * are discarded.
   *
   * @throws MillraceError `service_unavailable`
   */
  lend<T>(work: (run: Run) => Promise<T>): Promise<T>;
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
export async function openConnections(config: pg.PoolConfig, timeout: number, log: Logger): Promise<Connections> {
  try {
    return await checkFirst(lendFrom(config, timeout, log));
  } catch (error) {
    if (!refusesSettings(error)) throw error;
    log.warn(
      { err: error },
      'a pooler does not pass statement_timeout on, so statements outside of transactions have no limit on the server; ' +
        "give the database's role one",
    );
    const { statement_timeout, ...others } = config;
    return await checkFirst(lendFrom(others, timeout, log));
  }
}

async function checkFirst(connections: Connections): Promise<Connections> {
  try {
    await connections.lend((run) => run('select 1'));
    return connections;
  } catch (error) {
    await connections.close();
    throw error instanceof MillraceError ? error.cause : error;
  }
}

function lendFrom(config: pg.PoolConfig, timeout: number, log: Logger): Connections {
  let current = newPool(config, log);

  /** Replaces the pool: if one connection is dead, the idle ones are dead too. */
  function replace(dead: pg.Pool, error: unknown): void {
    if (dead !== current) return;
    log.warn({ err: error }, 'the database does not answer; new connections are made');
    current = newPool(config, log);
    end(dead).catch((failure: unknown) => log.warn({ err: failure }, 'silent connections could not be closed'));
  }

  return {
    async lend(work) {
      const pool = current;
      if (pool.waitingCount >= MAX_WAITING) {
        throw new MillraceError(
          'service_unavailable',
          'The service has more to do than it can. Try again in a moment.',
        );
      }
      const client = await pool.connect().catch((error: unknown) => {
        throw asFailure(error);
      });
      let broken: Error | undefined;
      const onBreak = (error: Error) => {
        broken = error;
      };
      // The running statement fails by itself. Without a listener the event would end the process.
      client.on('error', onBreak);
      const run: Run = async <Row>(text: string, parameters: readonly unknown[] = [], limit = timeout) => {
        if (broken !== undefined) throw asFailure(broken);
        try {
          // The schema in `migrations/` guarantees the caller's type of the rows.
          return (await runStatement(client, { text, parameters, limit })) as Row[];
        } catch (error) {
          // The stack of the caller helps more than that of the reader of the response.
          if (error instanceof Error) Error.captureStackTrace(error);
          if (isOutOfReach(error)) broken ??= error instanceof Error ? error : new Error(String(error));
          if (error instanceof StatementTimeoutError) replace(pool, error);
          throw asFailure(error);
        }
      };
      try {
        return await work(run);
      } finally {
        client.off('error', onBreak);
        client.release(broken);
      }
    },
    state: () => ({ open: current.totalCount, idle: current.idleCount, waiting: current.waitingCount }),
    close: () => end(current),
  };
}

function newPool(config: pg.PoolConfig, log: Logger): pg.Pool {
  const pool = new pg.Pool({ ...config, max: MAX_CONNECTIONS, idleTimeoutMillis: IDLE_TIMEOUT_MS });
  return pool.on('error', (error) => log.warn({ err: error }, 'an idle connection to the database broke'));
}

/** Ends a pool, with a time limit: a server that does not answer does not end connections either. */
async function end(pool: pg.Pool): Promise<void> {
  await Promise.race([pool.end(), sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
}
