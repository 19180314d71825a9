import { spawnSync } from 'node:child_process';

/*
 * npm run test:stacks [-- --short]
 *
 * Runs the whole acceptance suite on every stack of test/support/storage-stack.ts, one stack after the other. With
 * --short, it runs only the tests that depend on the stack, including unit tests of code that uses the database. These
 * run on the stack that differs most from that of `npm test`.
 */

/** Tests that depend on the stack: state that nodes share, links, files and the queue. */
const selection = [
  'acceptance/files',
  'acceptance/health',
  'acceptance/p5.test',
  'acceptance/render-start',
  'acceptance/render-status',
  'acceptance/storage.test',
  'acceptance/storage-outage',
  'src/accounts',
  'src/relay/connection-limit',
  'src/render/jobs',
  'src/render/webhooks',
  'src/render/worker',
];

const short = process.argv.includes('--short');
const stacks = short ? ['postgres+s3'] : ['embedded', 'postgres', 'postgres+s3'];
const failed = stacks.filter((stack) => !passes(stack));
if (failed.length > 0) {
  say(`\nFailed on ${failed.join(' and ')}.`);
  process.exitCode = 1;
}

function passes(stack: string): boolean {
  if (stack !== 'embedded' && process.env.TEST_DATABASE_URL === undefined) {
    say(`\nNOT TESTED on ${stack}: PostgreSQL is missing.`);
    return true;
  }
  say(`\nOn ${stack}:`);
  const what = short ? selection : ['--project', 'acceptance'];
  const environment = { ...process.env, TEST_STACK: stack };
  return spawnSync('vitest', ['run', ...what], { env: environment, stdio: 'inherit' }).status === 0;
}

function say(words: string): void {
  process.stderr.write(`${words}\n`);
}
