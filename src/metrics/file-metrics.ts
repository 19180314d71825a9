import { Counter } from 'prom-client';
import type { StoredFileMetrics } from '../render/stored-files/metrics-port.ts';
import type { MetricOptionsOf } from './metric-options.ts';

/** Creates the metrics of stored files that were read back or lost. */
export function createFileMetrics(optionsOf: MetricOptionsOf): StoredFileMetrics {
  const checks = new Counter(
    optionsOf(
      'file_checks_total',
      'Stored files that were read back, by result: hashed for the first time, intact, lost (missing or damaged), or unreadable.',
      'result',
    ),
  );
  const lostFiles = new Counter(optionsOf('files_lost_total', 'Jobs whose stored file was found missing or damaged.'));
  return {
    fileChecked: (result) => checks.inc({ result }),
    filesLost: (count) => lostFiles.inc(count),
  };
}
