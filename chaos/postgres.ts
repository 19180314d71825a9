import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../test/support/ports.ts';

const run = promisify(execFile);
const COMMAND_TIMEOUT_MS = 60_000;
const debianPrograms = '/usr/lib/postgresql';

/** A database server for a run, or a database of one that is there. */
export interface PostgresServer {
  readonly port: number;
  /** Credentials and database, without host and port: `postgresql://user:password@` and `/name`. */
  address(port: number): string;
  /** Restarts it, or ends all connections where it is not ours to restart. */
  restart(): Promise<void>;
  /** Which of the two. */
  readonly restarts: string;
  query(text: string, parameters?: readonly unknown[]): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server where its programs are installed, else makes a database by `TEST_DATABASE_URL`; else undefined. */
export async function startPostgres(name: string): Promise<PostgresServer | undefined> {
  const programs = installedPrograms();
  if (programs !== undefined) return startThrowaway(programs);
  const server = process.env.TEST_DATABASE_URL;
  return server === undefined ? undefined : makeDatabase(server, `millrace_chaos_${process.pid}_${name}`);
}

function installedPrograms(): string | undefined {
  const versions = existsSync(debianPrograms) ? readdirSync(debianPrograms).toSorted() : [];
  return versions
    .map((version) => join(debianPrograms, version, 'bin'))
    .findLast((bin) => existsSync(join(bin, 'initdb')));
}

/** A server of its own in a temporary folder; as the user postgres where we are root, whom the server refuses. */
async function startThrowaway(programs: string): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-chaos-postgres-'));
  const data = join(folder, 'data');
  const root = process.getuid?.() === 0;
  if (root) {
    const { stdout } = await run('id', ['-u', 'postgres']);
    await chown(folder, Number(stdout), (await stat(folder)).gid);
    await chmod(folder, 0o700);
  }
  const call = (program: string, ...parameters: string[]) => {
    const command = [join(programs, program), ...parameters];
    const [file = '', ...rest] = root ? ['runuser', '-u', 'postgres', '--', ...command] : command;
    return run(file, rest, { timeout: COMMAND_TIMEOUT_MS, cwd: folder });
  };
  const port = await freePort();
  const control = (...what: string[]) =>
    call('pg_ctl', '-D', data, '-w', '-t', '30', '-l', join(folder, 'log'), '-m', 'immediate', ...what);
  try {
    await call('initdb', '-D', data, '-U', 'millrace', '-A', 'trust', '-E', 'UTF8', '--no-sync');
    await control('-o', `-h 127.0.0.1 -p ${port} -k ${folder} -c shared_buffers=32MB -c max_connections=200`, 'start');
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  const address = (at: number) => `postgresql://millrace@127.0.0.1:${at}/postgres`;
  return {
    port,
    address,
    restarts: 'pg_ctl restart -m immediate',
    async restart() {
      await control('restart');
    },
    query: (text, parameters) => queryOnce(address(port), text, parameters),
    async stop() {
      await control('stop').finally(() => rm(folder, { recursive: true, force: true }));
    },
  };
}

/** A database of a server that others use as well. */
async function makeDatabase(server: string, name: string): Promise<PostgresServer> {
  await queryOnce(server, `create database ${name}`);
  const address = (at: number) => {
    const url = new URL(server);
    url.port = String(at);
    url.hostname = '127.0.0.1';
    url.pathname = `/${name}`;
    return url.href;
  };
  const port = Number(new URL(server).port || 5432);
  return {
    port,
    address,
    restarts: 'pg_terminate_backend of all connections',
    restart: () =>
      queryOnce(server, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]),
    query: (text, parameters) => queryOnce(address(port), text, parameters),
    stop: () => queryOnce(server, `drop database ${name} with (force)`),
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
