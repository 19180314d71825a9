import { findPostgres } from '../../scripts/postgres/find-postgres.ts';
import { startThrowawayServer } from '../../scripts/postgres/throwaway-server.ts';
import { printLine } from '../measure.ts';

/** A PostgreSQL server that may be asked for databases. */
export interface PostgresServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** The server of TEST_DATABASE_URL; without it a fresh one, which keeps what it has committed as servers do. */
export async function startPostgres(): Promise<PostgresServer> {
  const { TEST_DATABASE_URL: url } = process.env;
  if (url !== undefined) return { url, stop: async () => undefined };
  const programs = await findPostgres();
  if (programs === undefined) {
    throw new Error(
      'What is measured at scale needs PostgreSQL: install it, or set TEST_DATABASE_URL to a role that may create ' +
        'databases. The embedded database belongs to one process alone.',
    );
  }
  const server = await startThrowawayServer(programs, { durable: true });
  printLine(`PostgreSQL was started for this, with its default settings (${programs})`);
  return server;
}
