import type { CircuitState } from '../egress/limits/breaker.ts';
import type { Metrics } from './metrics.ts';

/** Adds how many exits each platform is left alone through, because it fails or blocks. */
export function addOpenCircuits(
  metrics: Metrics,
  platforms: readonly { readonly id: string }[],
  states: () => readonly CircuitState[],
): void {
  const help = 'Exits through which this process leaves a platform alone, because it fails or blocks (BREAKER).';
  metrics.gauges('circuits_open', help, 'platform', () => {
    const open = new Map(platforms.map(({ id }) => [id, 0]));
    for (const { platform, state } of states()) {
      if (state !== 'closed') open.set(platform, (open.get(platform) ?? 0) + 1);
    }
    return open;
  });
}
