/** Metrics of cancel calls. */
export interface CancelMetrics {
  /** Counts a call. */
  cancelRequested(result: 'cancelled' | 'already_finished' | 'deleted'): void;
}
