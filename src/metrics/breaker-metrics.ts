import type { CircuitState } from '../egress/limits/breaker.ts';
import type { Metrics } from './metrics.ts';

/** Adds the number of open circuits of each platform: exits through which requests are paused. */
export function addBreakerMetrics(
  metrics: Metrics,
  platforms: readonly { readonly id: string }[],
  states: () => readonly CircuitState[],
): void {
  const help =
    'Exits through which this process has paused requests to a platform that fails or blocks them (BREAKER).';
  metrics.labelledGauge('circuits_open', help, 'platform', () => {
    const open = new Map(platforms.map(({ id }) => [id, 0]));
    for (const { platform, state } of states()) {
      if (state !== 'closed') open.set(platform, (open.get(platform) ?? 0) + 1);
    }
    return open;
  });
}
