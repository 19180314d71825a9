/** The recurring cleanup tasks of every node. */
export const sweepTasks = [
  'lost_workers',
  'expired_jobs',
  'expired_descriptions',
  'link_replacements',
  'visitor_starts',
  'visitor_credits',
  'audit_entries',
  'audit_head',
  'file_deletions',
  'reconciliation',
] as const;

/** One of {@link sweepTasks}. */
export type SweepTask = (typeof sweepTasks)[number];

/** Metrics of the sweeper. */
export interface SweeperMetrics {
  /** Counts a sweep that failed and will be repeated. */
  sweepFailed(task: SweepTask): void;
  /** Reports how many files and jobs the last reconciliation did not remove because there were too many. */
  reconciliationWithheld(counts: { readonly files: number; readonly jobs: number }): void;
}
