import { Counter } from 'prom-client';
import type { MetricOptionsOf } from './metric-options.ts';
import type { StatusClass } from './status-class.ts';

/**
 * The part of the service that sends a request: for a site's pages and interfaces, for relayed media, for a job's
 * media, for webhooks, or for the delivery of files.
 */
export type EgressClass = 'site' | 'relay' | 'render' | 'webhook' | 'delivery';

/** Creates the metrics of outgoing requests. */
export function createEgressMetrics(optionsOf: MetricOptionsOf) {
  const requests = new Counter(
    optionsOf(
      'egress_requests_total',
      'Outgoing requests, by the status class of the response or error.',
      'class',
      'answer',
    ),
  );
  const bytesReceived = new Counter(
    optionsOf('egress_received_bytes_total', 'Bytes of response bodies received from outside.', 'class'),
  );
  return {
    /** Counts a finished request, with the bytes of its response body. */
    egress(kind: EgressClass, answer: StatusClass | 'error', bytes: number): void {
      requests.inc({ class: kind, answer });
      bytesReceived.inc({ class: kind }, bytes);
    },
  };
}
