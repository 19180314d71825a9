import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { keepTemporaryFilesInMemory } from './scripts/temporary-files.ts';
import { LongestFirst } from './test/support/longest-first.ts';

keepTemporaryFilesInMemory();

// Tests must also pass on a busy machine: polls get longer than Vitest's second, and poll half as often.
const timeouts = { testTimeout: 60_000, hookTimeout: 120_000, expect: { poll: { timeout: 20_000, interval: 100 } } };

/** A process runs one file after the other and loads imports only once, so no file may leave state behind. */
const shared = { pool: 'forks', isolate: false, ...timeouts } as const;

/** Runs before each project's own setup, one project after the other. After the first time it has nothing to do. */
const build = 'scripts/build/vitest-setup.ts';

/** Tests next to the code. Those that take long for a reason are not part of `npm test`. */
const unitTests = '{src,packages,lab,test/support,scripts,chaos}/**/*.test.ts';
const longTests = '{src,packages,lab,test/support,scripts,chaos}/**/*.long.test.ts';

/** Settings for tests that mostly compute, and only sometimes wait for a disk or a child process. */
const computing = {
  globalSetup: [build, 'test/support/unit-setup.ts'],
  ...shared,
  maxWorkers: availableParallelism() + 1,
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'acceptance',
          include: ['test/{acceptance,security}/**/*.test.ts'],
          globalSetup: [build, 'test/acceptance/setup.ts'],
          ...shared,
          // Most of these files wait for jobs and for slow sites.
          maxWorkers: Math.max(8, availableParallelism()),
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'unit',
          include: [unitTests],
          exclude: [longTests, '**/node_modules/**'],
          ...computing,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'long',
          include: [longTests],
          ...computing,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
