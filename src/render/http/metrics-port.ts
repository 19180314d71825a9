/** The metrics of calls that cancel jobs. */
export interface CancelMetrics {
  /** Counts a call. */
  cancelRequested(result: 'cancelled' | 'already_finished'): void;
}
