import { setTimeout as delay } from 'node:timers/promises';
import { pidOf, startLab, startService, temporaryFolder } from '../../test/support/processes.ts';
import { memoryOf, say, spread } from '../measure.ts';
import { failures, load } from './load.ts';
import { withStand } from './stand.ts';

const CONNECTIONS = 1_000;
const SECONDS = 10;
/** What a start leaves behind is collected after some time. */
const QUIET_MS = 30_000;

/** Many connections at once, each asking for the same. */
export function measureConnections(rounds: number): Promise<void> {
  return withStand(async ({ url, headers }) => {
    for (let round = 0; round < rounds; round += 1) {
      const result = await load(url, headers, CONNECTIONS, SECONDS);
      const { requests, latency } = result;
      say(
        `${CONNECTIONS} connections at once: ${failures(result)} of ${requests.total} requests failed (target 0), ` +
          `${requests.average.toFixed(0)} a second, median ${latency.p50} ms, p99 ${latency.p99} ms`,
      );
    }
  });
}

/** Memory of the whole service when nothing happens, on a second start. */
export async function measureMemory(rounds: number): Promise<void> {
  const lab = await startLab();
  const folder = await temporaryFolder();
  try {
    await (await startService(lab.url, folder.path)).stop();
    const found: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const service = await startService(lab.url, folder.path);
      await delay(QUIET_MS);
      found.push((await memoryOf(pidOf(service))) / 1e6);
      await service.stop();
    }
    say(`idle service on a second start: ${spread(found, 0)} MB (PSS of the process tree, target 320)`);
  } finally {
    await lab.stop();
    await folder.delete();
  }
}
