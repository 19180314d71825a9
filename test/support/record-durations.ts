import { existsSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { durationsFile, readDurations, root } from './longest-first.ts';

/** Files that take less than this, in seconds, are listed with 0: their order does not matter. */
const LEAST_S = 1;

/**
 * Records how long each test file takes, for the order in which they start. A file that did not run, because it is long
 * or the machine lacks what it needs, keeps its former duration.
 */
export default class RecordDurations implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const former = readDurations();
    const rows = modules
      .map((module) => {
        const file = relative(root, module.moduleId);
        const seconds = Math.round(module.diagnostic().duration / 1_000);
        return [file, module.state() === 'skipped' ? (former[file] ?? seconds) : seconds] as const;
      })
      .map(([file, seconds]) => [file, seconds < LEAST_S ? 0 : seconds] as const);
    const all = Object.entries({ ...former, ...Object.fromEntries(rows) })
      .filter(([file]) => existsSync(join(root, file)))
      .toSorted(([one], [other]) => (one < other ? -1 : 1));
    writeFileSync(durationsFile, `${JSON.stringify(Object.fromEntries(all), undefined, 2)}\n`);
  }
}
