import { Counter } from 'prom-client';
import type { CancelMetrics } from '../render/http/metrics-port.ts';
import type { MetricOptionsOf } from './metric-options.ts';

/** Creates the metrics of calls that cancel render jobs. */
export function createCancelMetrics(optionsOf: MetricOptionsOf): CancelMetrics {
  const cancels = new Counter(
    optionsOf(
      'render_cancels_total',
      'Calls that cancelled a render job, came too late (already_finished), or deleted a finished one.',
      'result',
    ),
  );
  return { cancelRequested: (result) => cancels.inc({ result }) };
}
