import type { FastifyBaseLogger } from 'fastify';
import type { ConnectionEvents, Refusal } from './connection-tracker.ts';

const WARNING_INTERVAL_MS = 60_000;

/** The metrics of client connections. */
export interface ConnectionMetrics {
  /** Counts a request or a connection that was refused. */
  connectionRefused(reason: Refusal): void;
  /** Counts a waiting connection that was closed to make room. */
  connectionEvicted(): void;
}

/** Counts refused and closed connections, and logs a warning about refusals once a minute. */
export function createConnectionReporter(
  metrics: ConnectionMetrics,
  log: FastifyBaseLogger,
  now = () => performance.now(),
): ConnectionEvents {
  const warnedAt = new Map<string, number>();
  return {
    onRefused(reason, networks) {
      const client = networks?.[0];
      metrics.connectionRefused(reason);
      if (now() - (warnedAt.get(reason) ?? Number.NEGATIVE_INFINITY) < WARNING_INTERVAL_MS) return;
      warnedAt.set(reason, now());
      if (reason === 'full') log.warn('all MAX_CONNECTIONS connections are in use; new clients get status 503');
      else if (reason === 'downloads') {
        log.warn({ client }, 'too many downloads at once; raise ulimit -n, or add API nodes');
      } else if (reason === 'memory') {
        log.warn(
          { client },
          'requests have used up CLIENT_MEMORY or the share of one address; raise it, or add API nodes',
        );
      } else {
        log.warn(
          { client },
          'one address has reached MAX_CONNECTIONS_PER_ADDRESS; if it is a proxy, add it to TRUSTED_PROXIES',
        );
      }
    },
    onEvicted: () => metrics.connectionEvicted(),
  };
}
