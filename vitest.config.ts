import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { keepTemporaryFilesInMemory } from './scripts/temporary-files.ts';
import { filesWithOnlyLongTests } from './test/support/long-files.ts';
import { LongestFirst } from './test/support/longest-first.ts';

keepTemporaryFilesInMemory();

// The processes of the tests reuse the code that earlier ones compiled.
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules', '.cache', 'node');

/** Runs before each project's own setup, one project after the other. After the first time it has nothing to do. */
const build = 'scripts/build/vitest-setup.ts';

const leavesOutLong = process.argv.includes('!long');

const shared = {
  // Loading these files only to skip their tests would take half a minute.
  exclude: [...configDefaults.exclude, ...(leavesOutLong ? filesWithOnlyLongTests() : [])],
  // Node runs the sources without a build. A process runs one file after the other and loads imports only once, so no file
  // may leave state behind.
  experimental: { viteModuleRunner: false },
  pool: 'forks' as const,
  isolate: false,
  // Tests must also pass on a busy machine, so these only end tests that hang, and no test has a shorter limit. Polls are
  // half as frequent as usual.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 60_000, interval: 100 } },
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    tags: [{ name: 'long', description: 'Takes long for a reason, and is left out by `npm test`.' }],
    projects: [
      {
        test: {
          name: 'acceptance',
          include: ['test/{acceptance,security}/**/*.test.ts'],
          globalSetup: [build, 'test/acceptance/setup.ts'],
          ...shared,
          // Most of these files wait for jobs and for slow sites.
          maxWorkers: 3 * availableParallelism(),
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'unit',
          include: ['{src,packages,lab,test/support,scripts,chaos}/**/*.test.ts'],
          globalSetup: [build, 'test/support/unit-setup.ts'],
          setupFiles: ['test/support/real-timers.ts', 'test/support/end-stubs.ts'],
          ...shared,
          // Some of these files wait, too.
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
