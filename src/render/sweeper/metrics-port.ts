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

/** The metrics of the sweeper. */
export interface SweeperMetrics {
  /** Counts a sweep that failed and will be repeated. */
  sweepFailed(duty: Duty): void;
  /** Shows how many files and jobs the last reconciliation left alone because they were too many. */
  withheld(counts: { readonly files: number; readonly jobs: number }): void;
}
