import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findPostgres } from './postgres/find-postgres.ts';
import { installObstacle, installPostgres } from './postgres/install-postgres.ts';
import { startThrowawayServer, type ThrowawayServer } from './postgres/throwaway-server.ts';

/*
 * node scripts/with-postgres.ts [--install] <program> [argument …]
 *
 * Runs a program with TEST_DATABASE_URL: the one that is given, else of a server that lives as long as the program
 * does. With --install, Debian's PostgreSQL is installed where there is none. Where there can be none, that is told
 * aloud, and the program runs without: tests that need PostgreSQL are skipped then.
 */

const words = process.argv.slice(2);
const install = words[0] === '--install';
const [program, ...args] = install ? words.slice(1) : words;
if (program === undefined) throw new Error('Say what to run: node scripts/with-postgres.ts [--install] <program> …');

const server = await openServer();
try {
  process.exitCode = await run(program, args, server === undefined ? {} : { TEST_DATABASE_URL: server.url });
} finally {
  await server?.stop();
}

/** The server to run with; undefined where one is given, and where there can be none. */
async function openServer(): Promise<ThrowawayServer | undefined> {
  if (process.env.TEST_DATABASE_URL !== undefined) {
    say('PostgreSQL: the server of TEST_DATABASE_URL');
    return undefined;
  }
  try {
    const programs = await programsOfServer();
    const throwawayServer = await startThrowawayServer(programs);
    say(`PostgreSQL: a server of its own, of ${programs}`);
    return throwawayServer;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    say(`\n${'!'.repeat(78)}\nNO POSTGRESQL: ${why}.\nWhat needs it is NOT TESTED.\n${'!'.repeat(78)}\n`);
    return undefined;
  }
}

async function programsOfServer(): Promise<string> {
  const installedPrograms = await findPostgres();
  if (installedPrograms !== undefined) return installedPrograms;
  if (!install) throw new Error('no server is installed here, and TEST_DATABASE_URL is not set');
  const obstacle = installObstacle();
  if (obstacle !== undefined) throw new Error(`no server is installed here, and ${obstacle}`);
  installPostgres();
  const programs = await findPostgres();
  if (programs === undefined) throw new Error('the package postgresql was installed, but brought no server');
  return programs;
}

/** Runs a program to its end, which a signal to us is passed on to. Returns its exit code. */
async function run(name: string, parameters: readonly string[], more: Record<string, string>): Promise<number> {
  const child = spawn(name, parameters, { env: { ...process.env, ...more }, stdio: 'inherit' });
  // Whoever presses Ctrl+C has told it to the program, too.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}

/** To the standard error output: the other is the program's. */
function say(words: string): void {
  process.stderr.write(`${words}\n`);
}
