import { Counter } from 'prom-client';
import type { ConnectionMetrics } from '../http/connections/connection-reporter.ts';
import type { ConnectionTracker } from '../http/connections/connection-tracker.ts';
import type { Gauges } from './gauges.ts';
import type { MetricOptionsOf } from './metric-options.ts';

/** Creates the metrics of client connections that were refused or closed to stay within the limits. */
export function createConnectionMetrics(optionsOf: MetricOptionsOf): ConnectionMetrics {
  const refusals = new Counter(
    optionsOf(
      'connections_refused_total',
      'Refused requests and connections, by reason: full (MAX_CONNECTIONS), share (MAX_CONNECTIONS_PER_ADDRESS), downloads (descriptors) or memory (CLIENT_MEMORY).',
      'reason',
    ),
  );
  const evictions = new Counter(
    optionsOf(
      'connections_evicted_total',
      'Idle, half-open and unfinished connections closed to make room for others.',
    ),
  );
  return {
    connectionRefused: (reason) => refusals.inc({ reason }),
    connectionEvicted: () => evictions.inc(),
  };
}

/** Adds gauges for the open client connections and their limit. */
export function addConnectionGauges({ gauge }: Gauges, connections: ConnectionTracker, limit: number): void {
  gauge('connections', 'Open client connections.', () => connections.open);
  gauge('connections_limit', 'Maximum number of open client connections.', () => limit);
}
