import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// A busy machine is slow, not wrong: what a test polls for gets longer than Vitest's second.
const timeouts = { testTimeout: 60_000, hookTimeout: 120_000, expect: { poll: { timeout: 20_000 } } };

export default defineConfig({
  test: {
    pool: 'forks',
    // Much of a run is waiting; with one worker on two cores it takes 18 minutes.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      { test: { name: 'unit', include: ['{src,lab,test/support,scripts,chaos}/**/*.test.ts'], ...timeouts } },
      {
        test: {
          name: 'acceptance',
          include: ['test/{acceptance,security}/**/*.test.ts'],
          globalSetup: 'test/acceptance/setup.ts',
          ...timeouts,
        },
      },
    ],
  },
});
