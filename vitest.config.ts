import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { keepTemporaryFilesInMemory } from './scripts/temporary-files.ts';
import { LongestFirst } from './test/support/longest-first.ts';

keepTemporaryFilesInMemory();

// A busy machine is slow, not wrong: what a test polls for gets longer than Vitest's second, and is asked half as often.
const timeouts = { testTimeout: 60_000, hookTimeout: 120_000, expect: { poll: { timeout: 20_000, interval: 100 } } };

/**
 * A process takes up one file after the other of its project: what files import is read once, and none leaves anything
 * behind. There are more than processors: many files of the acceptance tests wait, for jobs and for sites that are slow.
 */
const shared = { pool: 'forks', isolate: false, maxWorkers: Math.max(6, availableParallelism()), ...timeouts } as const;

/** Runs before each project's own, one project after the other; the second time there is nothing to do. */
const build = 'scripts/build/vitest-setup.ts';

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
        },
      },
      {
        test: {
          name: 'unit',
          include: ['{src,lab,test/support,scripts,chaos}/**/*.test.ts'],
          globalSetup: [build, 'test/support/unit-setup.ts'],
          ...shared,
        },
      },
    ],
  },
});
