import { openLabExits } from '../egress/lab-exits.ts';
import { startLabProcess } from '../lab/start-lab-process.ts';
import { addBreakerMetrics } from '../metrics/breaker-metrics.ts';
import { createMetrics } from '../metrics/metrics.ts';
import type { Sealer } from '../sealing/sealer.ts';
import type { NodeServices, TestWorld } from './services.ts';
import { openSources } from './sources.ts';

/** Services that the world of test keys is opened with: none that reach the internet or count live traffic. */
interface TestWorldServices extends Pick<NodeServices, 'config' | 'log' | 'keys' | 'blocks' | 'tracer' | 'own'> {
  /** Seals the links of test keys. */
  readonly sealer: Sealer;
}

/**
 * Starts the lab, and opens the world of test keys, which reaches nothing else. Its health, rate limits, breakers and
 * metrics are in the memory of this node. Returns undefined without the lab (`LAB=off`).
 */
export async function openTestWorld(services: TestWorldServices): Promise<TestWorld | undefined> {
  const { config, log, blocks, own } = services;
  if (config.LAB === 'off') return undefined;
  const lab = own(await startLabProcess({ dataDirectory: config.DATA_DIR, log }));
  const exits = own(openLabExits(lab, blocks.refusalOfHost));
  const metrics = createMetrics();
  // The lab's responses are known, so unreadable ones are not kept.
  const sources = openSources({ ...services, config: { ...config, KEEP_UNREAD: 0 }, exits, metrics });
  addBreakerMetrics(metrics, sources.platforms, sources.policy.breaker.states);
  return { exits, metrics, sources };
}
