import { Counter } from 'prom-client';
import type { LinkHealingMetrics } from '../link-healing/metrics-port.ts';
import type { MetricOptionsOf } from './metric-options.ts';

/** Creates the metrics of link healing. */
export function createLinkHealingMetrics(optionsOf: MetricOptionsOf): LinkHealingMetrics {
  const replacements = new Counter(
    optionsOf(
      'link_replacement_requests_total',
      'Requests for new media links, by platform and result: replaced, missing, too_many, owner_ended, cancelled or an error code.',
      'platform',
      'result',
    ),
  );
  return { replacementRequested: (platform, result) => replacements.inc({ platform, result }) };
}
