import { fork, type Serializable } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { migrate } from '../../src/database/migrate.ts';
import { openPostgres } from '../../src/database/server/postgres-database.ts';
import { temporaryFolder } from '../../test/support/processes.ts';
import { startPostgres } from './postgres.ts';

/** The resources that the scale measurements need. */
export interface Setup {
  /** An empty database with the schema in place. */
  readonly databaseUrl: string;
  /** A folder for data folders and files. */
  readonly folder: string;
}

/** Runs a measurement on its own database: on the server of TEST_DATABASE_URL, or on one started for it. */
export async function withSetup<T>(measure: (stand: Setup) => Promise<T>): Promise<T> {
  const folder = await temporaryFolder();
  const server = await startPostgres();
  const name = `bench_${randomUUID().replaceAll('-', '')}`;
  const log = pino({ level: 'silent' });
  try {
    const maintenance = await openPostgres(server.url, log);
    try {
      await maintenance.query(`create database ${name}`);
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      const database = await openPostgres(url.href, log);
      await migrate(database);
      await database.close();
      return await measure({ databaseUrl: url.href, folder: folder.path });
    } finally {
      await maintenance.query(`drop database if exists ${name} with (force)`);
      await maintenance.close();
    }
  } finally {
    await server.stop();
    await folder.delete();
  }
}

/** A helper program of the benchmark in its own process. It responds to each message with one message. */
export interface Helper {
  readonly pid: number;
  request<Answer>(message: Serializable): Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts a program of this folder. */
export async function startHelper(program: string, ...parameters: readonly (string | number)[]): Promise<Helper> {
  const path = fileURLToPath(new URL(program, import.meta.url));
  const child = fork(path, parameters.map(String), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const exit = once(child, 'exit').then(([code]) => {
    throw new Error(`${program} exited with ${code}`);
  });
  exit.catch(() => undefined);
  await Promise.race([once(child, 'spawn'), exit]);
  if (child.pid === undefined) throw new Error(`${program} has no process ID`);
  return {
    pid: child.pid,
    async request<Answer>(message: Serializable) {
      const response = once(child, 'message');
      child.send(message);
      const [answer] = await Promise.race([response, exit]);
      // The programs of this folder return the types that their callers expect.
      return answer as Answer;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** Makes a helper program process messages one after the other. */
export function serveRequests<Message>(work: (message: Message) => Promise<Serializable>): void {
  process.on('message', (message) => {
    work(message as Message).then(
      (result) => process.send?.(result),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
        process.exit(1);
      },
    );
  });
  process.on('disconnect', () => process.exit(0));
}
