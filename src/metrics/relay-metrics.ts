import { Counter, Gauge } from 'prom-client';
import type { RelayMetrics } from '../relay/metrics-port.ts';
import type { MetricOptionsOf } from './metric-options.ts';

/** Creates the metrics of the relay. */
export function createRelayMetrics(optionsOf: MetricOptionsOf): RelayMetrics {
  const connections = new Gauge(optionsOf('relay_connections', 'Open relay connections.'));
  const bytesSent = new Counter(optionsOf('relay_sent_bytes_total', 'Bytes that the relay sent to callers.'));
  return {
    relayConnection() {
      connections.inc();
      return (bytes) => {
        connections.dec();
        bytesSent.inc(bytes);
      };
    },
  };
}
