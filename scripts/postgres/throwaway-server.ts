import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../test/support/free-port.ts';

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 10_000;

/** The role that tests use. Like an operator's role, it may only create databases. */
const ROLE = 'millrace';

/** A PostgreSQL server whose files are deleted when it is stopped. */
export interface ThrowawayServer {
  /** URL for clients, with a role that may create databases. */
  readonly url: string;
  /** The folder with all files of the server. */
  readonly folder: string;
  /** Stops the server as a crash would, and starts it again on the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** The user that runs the server, which refuses to run as root. */
type Identity = { readonly uid: number; readonly gid: number } | undefined;

/** Settings that make tests faster. Written data survives neither a power cut nor a crash of the server. */
const fastSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' };

/**
 * Starts a server in its own folder, on a free port of this machine.
 *
 * @param programs The folder with `initdb` and `postgres`.
 * @param durable Whether it flushes commits as production servers do. Without this, it is faster.
 * @throws Error with the server's output if it does not start.
 */
export async function startThrowawayServer(programs: string, { durable = false } = {}): Promise<ThrowawayServer> {
  const identity = serverIdentity();
  const folder = await mkdtemp(join(tmpdir(), 'millrace-postgres-'));
  try {
    return await startIn(folder, programs, identity, durable ? {} : fastSettings);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function startIn(
  folder: string,
  programs: string,
  identity: Identity,
  durabilitySettings: Readonly<Record<string, string>>,
): Promise<ThrowawayServer> {
  const password = randomBytes(16).toString('hex');
  const passwordFile = join(folder, 'password');
  const data = join(folder, 'data');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (identity !== undefined) for (const path of [folder, passwordFile]) await chown(path, identity.uid, identity.gid);
  const initdbOptions = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  execFileSync(
    join(programs, 'initdb'),
    [`--pgdata=${data}`, ...initdbOptions, '--encoding=UTF8', '--locale=C', '--no-sync'],
    {
      ...identity,
      cwd: folder,
      stdio: 'pipe',
      timeout: START_TIMEOUT_MS,
    },
  );
  const port = await freePort();
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    // Each service in the tests has its own pool.
    max_connections: 400,
    ...durabilitySettings,
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  /** Starts the server, and settles when `attempt` has succeeded. */
  async function start(attempt: () => Promise<void>): Promise<ChildProcess> {
    const child = spawn(join(programs, 'postgres'), ['-D', data, ...options], {
      ...identity,
      cwd: folder,
      // Ctrl+C is meant for the program that uses the server. The server is stopped after that program has ended.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000);
    });
    try {
      await untilReady(child, attempt);
      return child;
    } catch (error) {
      child.kill('SIGKILL');
      throw new Error(`PostgreSQL of ${programs} did not start:\n${output}`, { cause: error });
    }
  }

  const url = `postgresql://${ROLE}:${password}@127.0.0.1:${port}/${ROLE}`;
  let server = await start(() => prepare(`postgresql://postgres:${password}@127.0.0.1:${port}/postgres`, password));
  return {
    folder,
    url,
    async restart() {
      await end(server, 'SIGQUIT');
      server = await start(() => runOn(url, 'select 1'));
    },
    async stop() {
      await end(server, 'SIGINT');
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function serverIdentity(): Identity {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (what: '-u' | '-g', user: string) =>
    Number(execFileSync('id', [what, user], { stdio: ['ignore', 'pipe', 'ignore'] }));
  for (const user of ['postgres', 'nobody']) {
    try {
      return { uid: idOf('-u', user), gid: idOf('-g', user) };
    } catch {
      // This user does not exist. Try the next one.
    }
  }
  throw new Error('PostgreSQL refuses to run as root, and there is no user postgres or nobody');
}

/** Settles when `attempt` has succeeded. */
async function untilReady(server: ChildProcess, attempt: () => Promise<void>): Promise<void> {
  for (const deadline = Date.now() + START_TIMEOUT_MS; ; ) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadline) throw error;
    }
    await delay(100);
  }
}

function prepare(url: string, password: string): Promise<void> {
  return runOn(
    url,
    `create role ${ROLE} login createdb password '${password}'`,
    `create database ${ROLE} owner ${ROLE}`,
  );
}

async function runOn(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: START_TIMEOUT_MS });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Stops a server immediately, despite open connections. SIGINT is its "fast shutdown", SIGQUIT its "immediate" one. */
async function end(server: ChildProcess, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = once(server, 'exit');
  server.kill(signal);
  const isLate = await Promise.race([exit.then(() => false), delay(STOP_TIMEOUT_MS, true, { ref: false })]);
  if (!isLate) return;
  server.kill('SIGQUIT');
  await exit;
}
