import pg from 'pg';
import type { Logger } from 'pino';
import { MillraceError } from '../contract/errors.ts';
import { pause } from '../waiting/pause.ts';
import { ask, SilenceError } from './ask.ts';
import type { DatabaseState } from './database.ts';
import { asFailure, isOutOfReach, refusesSettings } from './failures.ts';

const MAX_CONNECTIONS = 10;
/** Further ones are refused at once: they would only wait for their time to run out. */
const MAX_WAITING = 1_000;
const IDLE_TIMEOUT_MS = 30_000;
const CLOSE_TIMEOUT_MS = 5_000;

/**
 * Runs one statement on a connection.
 *
 * @param limit Milliseconds until there is an answer; default: those of the connections.
 */
export type Run = <Row>(text: string, parameters?: readonly unknown[], limit?: number) => Promise<Row[]>;

/** A bounded number of connections, which are lent. */
export interface Connections {
  /**
   * Lends a connection to one at a time, as soon as there is one, but only so long as connecting may take. One that
   * turned out to be of no more use is thrown away.
   *
   * @throws MillraceError `service_unavailable`
   */
  lend<T>(work: (run: Run) => Promise<T>): Promise<T>;
  /** How many there are, how many of them do nothing, and how many calls wait for one. */
  state(): Omit<DatabaseState, 'listening'>;
  close(): Promise<void>;
}

/**
 * Opens connections, and tries one. The server is told its limit for statements; a pooler may refuse to pass it on.
 *
 * @param patience Milliseconds until a statement has its answer, unless it comes with a limit of its own.
 * @throws Error when the server is out of reach or refuses.
 */
export async function openConnections(config: pg.PoolConfig, patience: number, log: Logger): Promise<Connections> {
  try {
    return await tryOut(lendFrom(config, patience, log));
  } catch (error) {
    if (!refusesSettings(error)) throw error;
    log.warn(
      { err: error },
      'a pooler does not pass statement_timeout on, so statements outside of transactions have no limit on the server; ' +
        "give the database's role one",
    );
    const { statement_timeout, ...others } = config;
    return await tryOut(lendFrom(others, patience, log));
  }
}

async function tryOut(connections: Connections): Promise<Connections> {
  try {
    await connections.lend((run) => run('select 1'));
    return connections;
  } catch (error) {
    await connections.close();
    throw error instanceof MillraceError ? error.cause : error;
  }
}

function lendFrom(config: pg.PoolConfig, patience: number, log: Logger): Connections {
  let current = newPool(config, log);

  /** Where one connection is silent, the others that lie idle are so, too: none of them is used again. */
  function replace(silent: pg.Pool, error: unknown): void {
    if (silent !== current) return;
    log.warn({ err: error }, 'the database does not answer; new connections are made');
    current = newPool(config, log);
    end(silent).catch((failure: unknown) => log.warn({ err: failure }, 'silent connections could not be closed'));
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
      // The statement under way fails by itself; without a listener the event would end the process.
      client.on('error', onBreak);
      const run: Run = async <Row>(text: string, parameters: readonly unknown[] = [], limit = patience) => {
        if (broken !== undefined) throw asFailure(broken);
        try {
          // The schema in `migrations/` is what makes the rows what the caller says they are.
          return (await ask(client, { text, parameters, limit })) as Row[];
        } catch (error) {
          // It came into being where the answer was read; who asked is what helps.
          if (error instanceof Error) Error.captureStackTrace(error);
          if (isOutOfReach(error)) broken ??= error instanceof Error ? error : new Error(String(error));
          if (error instanceof SilenceError) replace(pool, error);
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

/** A server that does not answer takes no leave either. */
async function end(pool: pg.Pool): Promise<void> {
  await Promise.race([pool.end(), pause(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
}
