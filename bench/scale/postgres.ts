import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, readdir } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../../test/support/ports.ts';
import { say } from '../measure.ts';

const run = promisify(execFile);

/** Where Debian's packages put the programs of a server. */
const PACKAGED = '/usr/lib/postgresql';
const START_ATTEMPTS = 200;

/** A PostgreSQL server that may be asked for databases. */
export interface PostgresServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** The server of TEST_DATABASE_URL; without it a fresh one, with the settings it comes with, in the folder. */
export async function startPostgres(folder: string): Promise<PostgresServer> {
  const { TEST_DATABASE_URL: given } = process.env;
  if (given !== undefined) return { url: given, stop: async () => undefined };
  const programs = await findPrograms();
  if (programs === undefined) {
    throw new Error(
      'What is measured at scale needs PostgreSQL: install it, or set TEST_DATABASE_URL to a role that may create ' +
        'databases. The embedded database belongs to one process alone.',
    );
  }
  const data = join(folder, 'postgres');
  const owner = await ownerOf(folder, data);
  await run(join(programs, 'initdb'), ['-D', data, '-U', 'millrace', '-A', 'trust', '-E', 'UTF8'], owner);
  const port = await freePort();
  const options = ['-D', data, '-p', `${port}`, '-k', data, '-c', 'listen_addresses=127.0.0.1'];
  const server = spawn(join(programs, 'postgres'), options, { ...owner, stdio: 'ignore' });
  const url = `postgresql://millrace@127.0.0.1:${port}/postgres`;
  await untilItAnswers(url);
  say(`PostgreSQL was started for this, with its default settings (${programs})`);
  return {
    url,
    async stop() {
      // A fast shutdown: it does not wait for its callers.
      server.kill('SIGINT');
      if (server.exitCode === null) await once(server, 'exit');
    },
  };
}

async function findPrograms(): Promise<string | undefined> {
  const versions = await readdir(PACKAGED).catch(() => []);
  const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? undefined : join(PACKAGED, newest, 'bin');
}

/** PostgreSQL does not run as root: there it runs as the user that its package makes. */
async function ownerOf(folder: string, data: string): Promise<{ uid?: number; gid?: number }> {
  await mkdir(data, { mode: 0o700 });
  if (userInfo().uid !== 0) return {};
  const id = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
  const [uid, gid] = [await id('-u'), await id('-g')];
  await run('chmod', ['755', folder]);
  await chown(data, uid, gid);
  return { uid, gid };
}

async function untilItAnswers(url: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const client = new pg.Client(url);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (attempt === START_ATTEMPTS) throw new Error('the server did not start', { cause: error });
    }
    await delay(100);
  }
}
