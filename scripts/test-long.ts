import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';

/*
 * npm run test:long [-- --short]
 *
 * Runs the tests that take long for a reason: those of Vitest that have a long form, those of the project `long`, the
 * acceptance tests on every stack, and chaos. Variables that are already set take precedence. With --short, only what
 * `npm test` leaves out, in its short form. What needs PostgreSQL is skipped where there is none, and says so.
 */

/** Read by the tests that have a long form. */
const lengths = { JOBS: '200', CORPUS: '1000', COPIES: 'all', FUZZ: '100000', POWER_CUTS: '500' };
const longForms = ['--project', 'acceptance', 'mixed-jobs', 'openapi-fuzz', '.long.test.ts'];

const { short } = parseArgs({ options: { short: { type: 'boolean', default: false } } }).values;

/** Ends what runs when this is told to end. */
const ended = new AbortController();
process.once('SIGTERM', () => ended.abort());

const passed = short ? await runShort() : await runLong();
process.exitCode = passed.every(Boolean) ? 0 : 1;

/** Chaos and stacks wait more than they work, so they run side by side. */
async function runShort(): Promise<boolean[]> {
  return [
    await passes('vitest', ['run', '--project', 'long']),
    ...(await Promise.all([
      passes('npm', ['run', 'test:stacks', '--', '--short']),
      passesAside('npm', ['run', 'chaos', '--', '--short']),
    ])),
  ];
}

async function runLong(): Promise<boolean[]> {
  return [
    await passes('vitest', ['run', '--project', 'long', ...longForms], { ...lengths, ...process.env }),
    await passes('npm', ['run', 'test:stacks']),
    await passes('npm', ['run', 'chaos']),
  ];
}

async function passes(program: string, args: readonly string[], env = process.env): Promise<boolean> {
  const [code] = await once(spawn(program, args, { env, stdio: 'inherit', signal: ended.signal }), 'exit');
  return code === 0;
}

/** Prints what a program says only when it has ended, so that it does not mix with what another one says. */
async function passesAside(program: string, args: readonly string[]): Promise<boolean> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], signal: ended.signal });
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  process.stdout.write(said);
  return code === 0;
}
