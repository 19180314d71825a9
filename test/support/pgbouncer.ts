import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { NOBODY, ROOT } from './ordinary-user.ts';

const START_TIMEOUT_MS = 30_000;
const binary = '/usr/sbin/pgbouncer';

/** Whether this machine has PgBouncer (Debian: `apt-get install pgbouncer`). */
export const hasPgBouncer = spawnSync(binary, ['--version']).status === 0;
if (!hasPgBouncer) process.stderr.write(`Tests behind a pooler are skipped: ${binary} is not installed.\n`);

/** A running PgBouncer. */
export interface PgBouncer {
  /** The database's address through it. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts PgBouncer in front of a database with `size` connections, assigned by transaction. */
export async function startPgBouncer(database: string, size: number): Promise<PgBouncer> {
  const target = new URL(database);
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'millrace-pgbouncer-'));
  const file = join(folder, 'pgbouncer.ini');
  const login = `user=${decodeURIComponent(target.username)} password=${decodeURIComponent(target.password)}`;
  await writeFile(
    file,
    [
      '[databases]',
      `* = host=${target.hostname} port=${target.port || 5432} ${login}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      `default_pool_size = ${size}`,
      'max_client_conn = 500',
    ].join('\n'),
  );
  await chmod(folder, 0o755);
  const child = spawn(binary, [file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // PgBouncer refuses to run as root.
    ...(ROOT ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-100_000);
  });
  try {
    await untilListening(child, port);
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`PgBouncer did not start:\n${output}`, { cause: error });
  }
  const url = new URL(database);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    async stop() {
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (child.exitCode === null) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await delay(50);
    } finally {
      socket.destroy();
    }
  }
  throw new Error(`it ended with ${child.exitCode}`);
}
