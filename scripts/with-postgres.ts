import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findPostgres } from './postgres/find-postgres.ts';
import { installObstacle, installPostgres } from './postgres/install-postgres.ts';
import { startThrowawayServer, type ThrowawayServer } from './postgres/throwaway-server.ts';

/*
 * node scripts/with-postgres.ts [--install] <program> [argument …]
 *
 * Runs a program with TEST_DATABASE_URL: the given one, or that of a server that is started for the program. With
 * --install, Debian's PostgreSQL is installed if it is missing. If no server is available, a message reports that, and
 * the program runs without it. Tests that need PostgreSQL are then skipped.
 */

const words = process.argv.slice(2);
const install = words[0] === '--install';
const [program, ...args] = install ? words.slice(1) : words;
if (program === undefined)
  throw new Error('The program to run is missing. Usage: node scripts/with-postgres.ts [--install] <program> …');

const server = await openServer();
try {
  process.exitCode = await run(program, args, server === undefined ? {} : { TEST_DATABASE_URL: server.url });
} finally {
  await server?.stop();
}

/** Starts the server to run with. Returns undefined if one is given or none is available. */
async function openServer(): Promise<ThrowawayServer | undefined> {
  if (process.env.TEST_DATABASE_URL !== undefined) {
    say('PostgreSQL: the server of TEST_DATABASE_URL');
    return undefined;
  }
  try {
    const programs = await programsOfServer();
    const throwawayServer = await startThrowawayServer(programs);
    say(`PostgreSQL: a server started for this program, from ${programs}`);
    return throwawayServer;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    say(`\n${'!'.repeat(78)}\nNO POSTGRESQL: ${why}.\nTests that need it are NOT RUN.\n${'!'.repeat(78)}\n`);
    return undefined;
  }
}

async function programsOfServer(): Promise<string> {
  const installedPrograms = await findPostgres();
  if (installedPrograms !== undefined) return installedPrograms;
  if (!install) throw new Error('no server is installed, and TEST_DATABASE_URL is not set');
  const obstacle = installObstacle();
  if (obstacle !== undefined) throw new Error(`no server is installed, and ${obstacle}`);
  installPostgres();
  const programs = await findPostgres();
  if (programs === undefined) throw new Error('the package postgresql was installed, but contains no server');
  return programs;
}

/** Runs a program until it exits, and passes signals on to it. Returns its exit code. */
async function run(name: string, parameters: readonly string[], more: Record<string, string>): Promise<number> {
  const child = spawn(name, parameters, { env: { ...process.env, ...more }, stdio: 'inherit' });
  // Ctrl+C also sends SIGINT to the program.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}

/** Prints to standard error, because standard output belongs to the program. */
function say(words: string): void {
  process.stderr.write(`${words}\n`);
}
