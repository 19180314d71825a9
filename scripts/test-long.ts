import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

/**
 * Runs the tests that take long for a reason: those of the project `long`, and those of other projects that have a long
 * form. Variables that are already set take precedence. With `--short`, only what `npm test` leaves out, in its short form.
 */
const lengths = { JOBS: '200', CORPUS: '1000', COPIES: 'all', FUZZ: '100000', POWER_CUTS: '500' };
const longForms = ['--project', 'acceptance', 'mixed-jobs', 'openapi-fuzz', '.long.test.ts'];

const { short } = parseArgs({ options: { short: { type: 'boolean', default: false } } }).values;
const words = ['run', '--project', 'long', ...(short ? [] : longForms)];
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', ...words], {
  env: short ? process.env : { ...lengths, ...process.env },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
