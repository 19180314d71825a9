import type { FastifyBaseLogger } from 'fastify';
import type { Metrics } from '../../metrics/metrics.ts';
import type { ConnectionEvents, Connections } from './connections.ts';

const WARNING_INTERVAL_MS = 60_000;

/** Counts refused and closed connections, and warns about refusals once a minute. */
export function reportConnections(
  metrics: Pick<Metrics, 'connectionRefused' | 'connectionEvicted'>,
  log: FastifyBaseLogger,
  now = () => performance.now(),
): ConnectionEvents {
  const warnedAt = new Map<string, number>();
  return {
    refused(reason, client) {
      metrics.connectionRefused(reason);
      if (now() - (warnedAt.get(reason) ?? Number.NEGATIVE_INFINITY) < WARNING_INTERVAL_MS) return;
      warnedAt.set(reason, now());
      if (reason === 'full') log.warn('all MAX_CONNECTIONS connections are in use; further clients get 503');
      else {
        log.warn(
          { client },
          'one address has reached MAX_CONNECTIONS_PER_ADDRESS; if it is a proxy, add it to TRUSTED_PROXIES',
        );
      }
    },
    evicted: () => metrics.connectionEvicted(),
  };
}

/** Adds gauges for the open client connections and their limit. */
export function addConnectionGauges(metrics: Pick<Metrics, 'gauge'>, connections: Connections, most: number): void {
  metrics.gauge('connections', 'Open client connections.', () => connections.open);
  metrics.gauge('connections_limit', 'Client connections that are served at once.', () => most);
}
