import type { Reporter, TestModule } from 'vitest/node';
import { hasBrowser } from './browser.ts';
import { filesWithOnlyLongTests, hasLongTests } from './long-files.ts';
import { canMeasureStalls } from './loop-stall.ts';

/** What tests need that not every machine has. */
const lacks = [
  ...(hasBrowser ? [] : ['- a browser, for the page (apt-get install chromium-headless-shell)']),
  ...(canMeasureStalls ? [] : ['- /proc of Linux, for the stalls of the event loop']),
  ...(process.env.TEST_DATABASE_URL === undefined
    ? ['- PostgreSQL, for several nodes (npm run with-postgres -- npm test)']
    : []),
  ...(process.env.RECORDINGS_DIR === undefined ? ['- recorded responses, for the parsers (RECORDINGS_DIR)'] : []),
  '- or, rarely, a tool or a right that the name of the test states',
];

/** Prints, after the results of `npm test`, which tests did not run, and how to run them. */
export default class ReportLeftOut implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const isLong = (test: (typeof tests)[number]) => test.tags.includes('long');
    const long = tests.filter((test) => isLong(test) && test.result().state === 'skipped');
    const skipped = tests.filter((test) => !isLong(test) && test.result().state === 'skipped');
    const lines = [
      ...(long.length === 0
        ? []
        : [
            `${long.length} tests, and ${filesWithOnlyLongTests().length} whole files, take longer and were left out.`,
            'Run them with: npm run test:long -- --short',
          ]),
      ...(process.env.CI === undefined && process.env.RUNS === undefined
        ? ['Property tests ran a third of their cases. Run all with: CI=true npm test']
        : []),
      ...(skipped.length === 0 ? [] : [`${skipped.length} tests were skipped. This machine lacks:`, ...lacks]),
    ];
    process.stdout.write(`\n${lines.join('\n')}\n`);
    const lost = [...new Set(long.map(({ module }) => module.moduleId))].filter((file) => !hasLongTests(file));
    if (lost.length === 0) return;
    process.stdout.write(`npm run test:long does not find the long tests in ${lost.join(', ')}\n`);
    process.exitCode = 1;
  }
}
