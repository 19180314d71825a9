/** Metrics of spend warnings. */
export interface SpendWarningMetrics {
  /** Counts an account that has passed its spend warning. */
  spendWarningPassed(): void;
}
