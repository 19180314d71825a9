import { spawnSync } from 'node:child_process';

/** Runs the long forms of the tests that have one. Variables that are already set take precedence. */
const lengths = { JOBS: '200', CORPUS: '1000', COPIES: 'all', FUZZ: '100000', POWER_CUTS: '500' };
const files = ['mixed-jobs', 'stages/corpus', 'corpus-copies', 'openapi-fuzz', 'power-cut'];

const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...files], {
  env: { ...lengths, ...process.env },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
