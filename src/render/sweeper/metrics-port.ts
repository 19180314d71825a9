/** The recurring cleanup tasks of every node. */
export const sweepTasks = [
  'lost_workers',
  'expired_jobs',
  'expired_descriptions',
  'file_deletions',
  'reconciliation',
] as const;

/** One of {@link sweepTasks}. */
export type SweepTask = (typeof sweepTasks)[number];

/** The metrics of the sweeper. */
export interface SweeperMetrics {
  /** Counts a sweep that failed and will be repeated. */
  sweepFailed(task: SweepTask): void;
  /** Shows how many files and jobs the last reconciliation left alone because they were too many. */
  reconciliationWithheld(counts: { readonly files: number; readonly jobs: number }): void;
}
