import { Registry } from 'prom-client';
import { createAccountMetrics } from './account-metrics.ts';
import { createBuildInfo } from './build-info.ts';
import { createCallMetrics } from './call-metrics.ts';
import { createCancelMetrics } from './cancel-metrics.ts';
import { createConnectionMetrics } from './connection-metrics.ts';
import { createEgressMetrics } from './egress-metrics.ts';
import { createCacheMetrics, createExtractionMetrics } from './extraction-metrics.ts';
import { createFileMetrics } from './file-metrics.ts';
import { createGauges } from './gauges.ts';
import { createHttpMetrics } from './http-metrics.ts';
import { createLinkHealingMetrics } from './link-healing-metrics.ts';
import { createMediaMetrics } from './media-metrics.ts';
import type { MetricOptionsOf } from './metric-options.ts';
import { createRelayMetrics } from './relay-metrics.ts';
import { createRunMetrics } from './run-metrics.ts';
import { createSweepMetrics } from './sweep-metrics.ts';

/**
 * The metrics of a process. It implements the interfaces that each part declares in its `metrics-port.ts`. Labels have
 * few values, which are names in the code: never a key, an account, a URL or an ID. The label `kind` of unread shapes is
 * a name in the site's code, limited in form and number.
 */
export type Metrics = ReturnType<typeof createMetrics>;

/** Creates metrics that start at zero. */
export function createMetrics() {
  const registry = new Registry();
  const optionsOf: MetricOptionsOf = (name, help, ...labelNames) => ({
    name: `millrace_${name}`,
    help,
    labelNames,
    registers: [registry],
  });
  const events = {
    ...createBuildInfo(optionsOf),
    ...createAccountMetrics(optionsOf),
    ...createExtractionMetrics(optionsOf),
    ...createCancelMetrics(optionsOf),
    ...createEgressMetrics(optionsOf),
    ...createMediaMetrics(optionsOf),
    ...createRelayMetrics(optionsOf),
    ...createLinkHealingMetrics(optionsOf),
    ...createRunMetrics(optionsOf),
    ...createCallMetrics(optionsOf),
    ...createConnectionMetrics(optionsOf),
    ...createHttpMetrics(optionsOf),
    ...createFileMetrics(optionsOf),
    ...createSweepMetrics(optionsOf),
  };
  const gauges = createGauges(optionsOf);
  return { registry, ...events, ...gauges, ...createCacheMetrics(gauges) };
}
