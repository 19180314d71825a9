import { defineConfig } from 'vitest/config';

const timeouts = { testTimeout: 60_000, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    pool: 'forks',
    projects: [
      { test: { name: 'unit', include: ['{src,lab,test/support,scripts}/**/*.test.ts'], ...timeouts } },
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
