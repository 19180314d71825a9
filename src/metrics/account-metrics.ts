import { Counter } from 'prom-client';
import type { SpendWarningMetrics } from '../accounts/metrics-port.ts';
import type { MetricOptionsOf } from './metric-options.ts';

/** Creates the metric of accounts that have passed their spend warning. */
export function createAccountMetrics(optionsOf: MetricOptionsOf): SpendWarningMetrics {
  const warnings = new Counter(
    optionsOf(
      'spend_warnings_total',
      'Accounts that passed their spend warning; each counts once a month, on one node.',
    ),
  );
  return { spendWarningPassed: () => warnings.inc() };
}
