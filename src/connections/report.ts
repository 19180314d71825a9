import type { FastifyBaseLogger } from 'fastify';
import type { Metrics } from '../metrics/metrics.ts';
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
      if (reason === 'full') log.warn('all connections of MAX_CONNECTIONS are in use; further clients get 503');
      else {
        log.warn(
          { client },
          'one address has all connections that MAX_CONNECTIONS_PER_ADDRESS allows; if it is a proxy, add it to ' +
            'TRUSTED_PROXIES',
        );
      }
    },
    evicted: () => metrics.connectionEvicted(),
  };
}

/** Adds how many connections callers have open, and how many they may have. */
export function addConnectionGauges(metrics: Pick<Metrics, 'gauge'>, connections: Connections, most: number): void {
  metrics.gauge('connections', 'Open connections of callers.', () => connections.open);
  metrics.gauge('connections_limit', 'Connections of callers that are served at once.', () => most);
}
