import { findPostgres } from '../../scripts/postgres/find-postgres.ts';
import { startThrowawayServer } from '../../scripts/postgres/throwaway-server.ts';
import { printLine } from '../measure.ts';

/** A PostgreSQL server on which databases can be created. */
export interface PostgresServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Returns the server of TEST_DATABASE_URL. Without this variable it starts a new one, which flushes commits to disk as
 * production servers do.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const { TEST_DATABASE_URL: url } = process.env;
  if (url !== undefined) return { url, stop: async () => undefined };
  const programs = await findPostgres();
  if (programs === undefined) {
    throw new Error(
      'The scale benchmark needs PostgreSQL: install it, or set TEST_DATABASE_URL to a role that may create ' +
        'databases. The embedded database cannot be shared by several processes.',
    );
  }
  const server = await startThrowawayServer(programs, { durable: true });
  printLine(`PostgreSQL was started for this run, with its default settings (${programs})`);
  return server;
}
