import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { keepTemporaryFilesInMemory } from './scripts/temporary-files.ts';
import { LongestFirst } from './test/support/longest-first.ts';

keepTemporaryFilesInMemory();

// A busy machine is slow, not wrong: what a test polls for gets longer than Vitest's second.
const timeouts = { testTimeout: 60_000, hookTimeout: 120_000, expect: { poll: { timeout: 20_000 } } };

// A process takes up one file after the other: what files import is read once, and none leaves anything behind.
const shared = { pool: 'forks', isolate: false, ...timeouts } as const;

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
          // These wait, mostly: for jobs, and for sites that are slow or never answer.
          maxWorkers: Math.max(4, availableParallelism()),
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'unit',
          include: ['{src,lab,test/support,scripts,chaos}/**/*.test.ts'],
          globalSetup: [build, 'src/testing/setup.ts'],
          ...shared,
          maxWorkers: Math.max(2, availableParallelism()),
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
