import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { filesWithLongTests } from '../test/support/long-files.ts';

/*
 * npm run test:long [-- --short]
 *
 * Runs the tests that take long for a reason: all Vitest tests in their long form, the acceptance tests on every stack,
 * and chaos. With --short, it runs only the tests that `npm test` leaves out (those with the tag `long`) in their short
 * form. Variables that are already set take precedence. Without PostgreSQL, tests that need it are skipped.
 */

/** Variables of the tests that have a long form. */
const lengths = {
  JOBS: '200',
  DYING_LINKS: '200',
  CORPUS: '1000',
  COPIES: 'all',
  FUZZ: '200000',
  POWER_CUTS: '500',
  RUNS: '20',
};
const shortLengths = { FUZZ: '4000', RUNS: '1' };

const { short } = parseArgs({ options: { short: { type: 'boolean', default: false } } }).values;

/** Aborts the running programs on SIGTERM. */
const termination = new AbortController();
process.once('SIGTERM', () => termination.abort());

process.exitCode = (short ? await passesShort() : await passesLong()) ? 0 : 1;

/**
 * Loads only the files with long tests, because it takes minutes to load all others. Runs chaos and stacks concurrently,
 * because they wait more than they work. Stops after a failure, so that the output ends with it.
 */
async function passesShort(): Promise<boolean> {
  if (!(await vitest(['--tags-filter', 'long', ...filesWithLongTests()], shortLengths))) return false;
  const [chaos, stacks] = await Promise.all([
    passesBuffered('npm', ['run', 'chaos', '--', '--short']),
    passes('npm', ['run', 'test:stacks', '--', '--short']),
  ]);
  return chaos && stacks;
}

/** Runs everything, also after a failure. */
async function passesLong(): Promise<boolean> {
  const results = [
    await vitest(['--testTimeout', '1200000'], lengths),
    await passes('npm', ['run', 'test:stacks']),
    await passes('npm', ['run', 'chaos']),
  ];
  return results.every(Boolean);
}

async function vitest(args: readonly string[], defaults: Readonly<Record<string, string>>): Promise<boolean> {
  return await passes('vitest', ['run', ...args], { ...defaults, ...process.env });
}

async function passes(program: string, args: readonly string[], env = process.env): Promise<boolean> {
  const [code] = await once(spawn(program, args, { env, stdio: 'inherit', signal: termination.signal }), 'exit');
  return code === 0;
}

/** Prints the output of a program when it has ended, so that it does not mix with the output of another one. */
async function passesBuffered(program: string, args: readonly string[]): Promise<boolean> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], signal: termination.signal });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  process.stdout.write(output);
  return code === 0;
}
