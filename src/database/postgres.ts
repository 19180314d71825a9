import pg from 'pg';
import type { Logger } from 'pino';
import { openConnections, type Run } from './connections.ts';
import type { Database, Sql } from './database.ts';
import { isContested } from './failures.ts';
import { openListener } from './listener.ts';
import { wordsOf } from './words-of.ts';

/** The server's own limit comes first, so that it speaks where it can. */
const ANSWER_MARGIN_MS = 2_000;
/** A server that is gone without a word is asked about after so long, not after the system's two hours. */
const KEEP_ALIVE_MS = 10_000;
const MAX_TRIES = 3;

/** How long things may take, in milliseconds. */
export interface Patience {
  /** Until there is a connection: a free one, or a new one. */
  readonly connect: number;
  /** One statement. The longest ones are deletions of a few thousand rows. */
  readonly statement: number;
  /** Between two checks of whether notifications are heard. */
  readonly echo: number;
}

const usualPatience: Patience = { connect: 5_000, statement: 10_000, echo: 10_000 };

/** What may be said of a PostgreSQL database besides its address. */
export interface PostgresOptions {
  /** Where notifications are heard: a direct address, should the other lead through a pooler. Default: the same. */
  readonly listenUrl?: string | undefined;
  readonly patience?: Patience;
}

/**
 * Opens a PostgreSQL database. No statement relies on the state of a session, so a pooler that hands connections out by
 * transaction may stand in between; through such a one nothing is heard, and what listens also looks from time to time.
 *
 * @throws Error when the server is out of reach or refuses.
 */
export async function openPostgres(url: string, log: Logger, options: PostgresOptions = {}): Promise<Database> {
  const { listenUrl = url, patience = usualPatience } = options;
  const config: pg.ClientConfig = {
    application_name: 'millrace',
    connectionTimeoutMillis: patience.connect,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
  const answerTimeout = patience.statement + ANSWER_MARGIN_MS;
  const connections = await openConnections(
    { ...config, connectionString: url, statement_timeout: patience.statement },
    answerTimeout,
    log,
  ).catch((error: unknown) => {
    throw new Error(`The database of DATABASE_URL cannot be opened: ${wordsOf(error)}`, { cause: error });
  });
  const query = <Row>(text: string, parameters?: readonly unknown[]) =>
    tryAgain(() => connections.lend((run) => run<Row>(text, parameters)));
  const listener = openListener({
    newClient: () => new pg.Client({ ...config, connectionString: listenUrl, query_timeout: answerTimeout }),
    notify: async (channel) => {
      await query('select pg_notify($1, $2)', [channel, '']);
    },
    checkInterval: patience.echo,
    log,
  });
  return {
    query,
    transaction: (work, limit = patience.statement) =>
      tryAgain(() => connections.lend((run) => transaction(run, work, limit))),
    listen: (channel, heard) => listener.listen(channel, heard),
    state: () => ({ ...connections.state(), listening: listener.listening }),
    async close() {
      await listener.close();
      await connections.close();
    },
  };
}

/** Does work again that had to make way for other work of the database. */
async function tryAgain<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === MAX_TRIES || !isContested(error)) throw error;
    }
  }
}

async function transaction<T>(run: Run, work: (sql: Sql) => Promise<T>, limit: number): Promise<T> {
  try {
    // Of this transaction alone, since a pooler gives the connection to others after it.
    await run(
      `begin; set local statement_timeout = ${limit}; set local idle_in_transaction_session_timeout = ${limit}`,
    );
    const result = await work({ query: (text, parameters) => run(text, parameters, limit + ANSWER_MARGIN_MS) });
    await run('commit');
    return result;
  } catch (error) {
    // Where that fails, what is left of the transaction goes with the connection.
    await run('rollback').catch(() => undefined);
    throw error;
  }
}
