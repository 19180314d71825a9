import { Counter } from 'prom-client';
import type { MetricOptionsOf } from './metric-options.ts';

/** What reaches the network: for pages and interfaces of sites, media of the relay, media of jobs, or webhooks. */
export type EgressClass = 'site' | 'relay' | 'render' | 'webhook';

/** Creates the metrics of requests to the outside. */
export function createEgressMetrics(optionsOf: MetricOptionsOf) {
  const requests = new Counter(
    optionsOf(
      'egress_requests_total',
      'Requests to the outside, by the class of the answer or error.',
      'class',
      'answer',
    ),
  );
  const bytesReceived = new Counter(optionsOf('egress_received_bytes_total', 'Bytes of bodies from outside.', 'class'));
  return {
    /** Counts a request that ended, with the bytes of its response's body. */
    egress(kind: EgressClass, answer: '2xx' | '3xx' | '4xx' | '5xx' | 'error', bytes: number): void {
      requests.inc({ class: kind, answer });
      bytesReceived.inc({ class: kind }, bytes);
    },
  };
}
