import pg from 'pg';
import { findPostgres } from '../scripts/postgres/find-postgres.ts';
import { startThrowawayServer } from '../scripts/postgres/throwaway-server.ts';
import { databasePort, throughPort } from '../test/support/free-port.ts';

/** A database server for a run, or a database on an existing server. */
export interface PostgresServer {
  readonly port: number;
  /** Returns the database's URL with another port, such as that of a proxy. */
  urlByPort(port: number): string;
  /** Restarts the server. If the run does not own it, ends all connections instead. */
  restart(): Promise<void>;
  /** Description of what `restart` does. */
  readonly restartMethod: string;
  query(text: string, parameters?: readonly unknown[]): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a server if its programs are installed. Otherwise creates a database with `TEST_DATABASE_URL`, or returns
 * undefined if it is not set.
 */
export async function startPostgres(name: string): Promise<PostgresServer | undefined> {
  const programs = await findPostgres();
  if (programs !== undefined) return startOwnServer(programs);
  const server = process.env.TEST_DATABASE_URL;
  return server === undefined ? undefined : createDatabase(server, `millrace_chaos_${process.pid}_${name}`);
}

async function startOwnServer(programs: string): Promise<PostgresServer> {
  // Commits survive a restart, as on production servers.
  const { url, restart, stop } = await startThrowawayServer(programs, { durable: true });
  return { ...accessTo(url), restartMethod: 'immediate shutdown and start', restart, stop };
}

/** Creates a database on a server that others use as well. */
async function createDatabase(server: string, name: string): Promise<PostgresServer> {
  await queryOnce(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    ...accessTo(url.href),
    restartMethod: 'pg_terminate_backend of all connections',
    restart: () =>
      queryOnce(server, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]),
    stop: () => queryOnce(server, `drop database ${name} with (force)`),
  };
}

function accessTo(url: string): Pick<PostgresServer, 'port' | 'urlByPort' | 'query'> {
  return {
    port: databasePort(url),
    urlByPort: (port) => throughPort(url, port),
    query: (text, parameters) => queryOnce(url, text, parameters),
  };
}

async function queryOnce(address: string, text: string, parameters: readonly unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: address, query_timeout: 20_000, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query(text, [...parameters]);
  } finally {
    await client.end();
  }
}
