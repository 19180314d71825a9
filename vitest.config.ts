import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { keepTemporaryFilesInMemory } from './scripts/temporary-files.ts';
import { LongestFirst } from './test/support/longest-first.ts';

keepTemporaryFilesInMemory();

// A busy machine is slow, not wrong: what a test polls for gets longer than Vitest's second, and is asked half as often.
const timeouts = { testTimeout: 60_000, hookTimeout: 120_000, expect: { poll: { timeout: 20_000, interval: 100 } } };

/** A process takes up one file after the other: what files import is read once, and none leaves anything behind. */
const shared = { pool: 'forks', isolate: false, ...timeouts } as const;

/** Runs before each project's own, one project after the other; the second time there is nothing to do. */
const build = 'scripts/build/vitest-setup.ts';

/** Tests that lie beside the code. Those that take long for a reason are no part of `npm test`. */
const unitTests = '{src,packages,lab,test/support,scripts,chaos}/**/*.test.ts';
const longTests = '{src,packages,lab,test/support,scripts,chaos}/**/*.long.test.ts';

/** These compute, and now and then wait for a disk or a child process. */
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
          // Most of these files wait, for jobs and for sites that are slow.
          maxWorkers: Math.max(8, availableParallelism()),
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'unit',
          include: [unitTests],
          exclude: [longTests],
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
