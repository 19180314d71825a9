import type { CircuitState } from '../egress/limits/breaker.ts';
import type { Metrics } from './metrics.ts';

/** Adds the number of open circuits of each platform: exits through which it gets no requests. */
export function addBreakerMetrics(
  metrics: Metrics,
  platforms: readonly { readonly id: string }[],
  states: () => readonly CircuitState[],
): void {
  const help = 'Exits through which this process leaves a platform alone, because it fails or blocks (BREAKER).';
  metrics.labelledGauge('circuits_open', help, 'platform', () => {
    const open = new Map(platforms.map(({ id }) => [id, 0]));
    for (const { platform, state } of states()) {
      if (state !== 'closed') open.set(platform, (open.get(platform) ?? 0) + 1);
    }
    return open;
  });
}
