import { Counter } from 'prom-client';
import type { Describe } from './describe.ts';

/** How reading a stored file back ended; see `file-checks.ts`. */
export type FileCheck = 'hashed' | 'intact' | 'lost' | 'unreadable';

/** Counts stored files that were read back, and those that were lost. */
export function createFileMetrics(of: Describe) {
  const checks = new Counter(
    of(
      'file_checks_total',
      'Stored files that were read back: hashed for the first time, intact, lost (missing or damaged), or unreadable.',
      'result',
    ),
  );
  const lost = new Counter(of('files_lost_total', 'Jobs whose stored file was found missing or damaged.'));
  return {
    /** A stored file was read back. */
    fileChecked(result: FileCheck): void {
      checks.inc({ result });
    },
    /** Files of jobs were found missing or damaged. */
    filesLost(count: number): void {
      lost.inc(count);
    },
  };
}
