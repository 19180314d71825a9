import { Counter, Gauge } from 'prom-client';
import type { Describe } from './describe.ts';

/** The recurring cleanup duties of every node. */
export const duties = [
  'lost_workers',
  'expired_jobs',
  'expired_descriptions',
  'file_deletions',
  'reconciliation',
] as const;

/** One of {@link duties}. */
export type Duty = (typeof duties)[number];

/** Counts sweeps that failed, and what reconciliation left alone. */
export function createSweepMetrics(of: Describe) {
  const failures = new Counter(of('sweep_failures_total', 'Sweeps of this node that failed, by duty.', 'duty'));
  // A rate needs a zero to begin with.
  for (const duty of duties) failures.inc({ duty }, 0);
  const withheld = new Gauge(
    of(
      'reconciliation_withheld',
      'Stored files without a job, and jobs without a file, that reconciliation left because they are too many.',
      'kind',
    ),
  );
  for (const kind of ['file', 'job'] as const) withheld.set({ kind }, 0);
  return {
    /** A sweep failed; it is tried again. */
    sweepFailed(duty: Duty): void {
      failures.inc({ duty });
    },
    /** Reconciliation left this many files and jobs alone. */
    withheld({ files, jobs }: { readonly files: number; readonly jobs: number }): void {
      withheld.set({ kind: 'file' }, files);
      withheld.set({ kind: 'job' }, jobs);
    },
  };
}
