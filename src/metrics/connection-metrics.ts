import { Counter } from 'prom-client';
import type { Describe } from './describe.ts';

/** Counts client connections that were refused or closed to stay within their bounds. */
export function createConnectionMetrics(of: Describe) {
  const refused = new Counter(
    of(
      'connections_refused_total',
      'Requests and connections refused: full (MAX_CONNECTIONS), or share (MAX_CONNECTIONS_PER_ADDRESS).',
      'reason',
    ),
  );
  const evicted = new Counter(
    of('connections_evicted_total', 'Idle, half-open and unfinished connections closed to make room for others.'),
  );
  return {
    /** A request or a connection was refused. */
    connectionRefused(reason: 'full' | 'share'): void {
      refused.inc({ reason });
    },
    /** A waiting connection was closed to make room. */
    connectionEvicted(): void {
      evicted.inc();
    },
  };
}
