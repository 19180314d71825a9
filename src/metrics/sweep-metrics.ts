import { Counter, Gauge } from 'prom-client';
import { type SweeperMetrics, sweepTasks } from '../render/sweeper/metrics-port.ts';
import type { MetricOptionsOf } from './metric-options.ts';

/** Creates the metrics of failed sweeps, and of files and jobs that reconciliation left unchanged. */
export function createSweepMetrics(optionsOf: MetricOptionsOf): SweeperMetrics {
  const failures = new Counter(optionsOf('sweep_failures_total', 'Failed sweeps on this node, by duty.', 'duty'));
  // A rate in Prometheus misses the first failure unless the counter starts at zero.
  for (const duty of sweepTasks) failures.inc({ duty }, 0);
  const withheld = new Gauge(
    optionsOf(
      'reconciliation_withheld',
      'Stored files without a job, and jobs without a file, that reconciliation left unchanged because there are too many.',
      'kind',
    ),
  );
  for (const kind of ['file', 'job'] as const) withheld.set({ kind }, 0);
  return {
    sweepFailed: (duty) => failures.inc({ duty }),
    reconciliationWithheld({ files, jobs }) {
      withheld.set({ kind: 'file' }, files);
      withheld.set({ kind: 'job' }, jobs);
    },
  };
}
