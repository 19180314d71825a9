import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { durationsFile, root } from './longest-first.ts';

/** Files that take less than this, in seconds, are not listed: their order does not matter. */
const LEAST_S = 1;

/** Records how long each test file takes, for the order in which they start. */
export default class RecordDurations implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules
      .map((module) => [relative(root, module.moduleId), Math.round(module.diagnostic().duration / 1_000)] as const)
      .map(([file, seconds]) => [file, seconds < LEAST_S ? 0 : seconds] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1));
    writeFileSync(durationsFile, `${JSON.stringify(Object.fromEntries(rows), undefined, 2)}\n`);
  }
}
