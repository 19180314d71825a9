import { printLine } from '../measure.ts';
import { failureCount, runLoad } from './run-load.ts';
import { withTarget } from './target.ts';

const CONNECTIONS = 1_000;
const SECONDS = 10;

/** Sends the same request on many concurrent connections. */
export function measureConnections(rounds: number): Promise<void> {
  return withTarget(async ({ url, headers }) => {
    for (let round = 0; round < rounds; round += 1) {
      const result = await runLoad(url, headers, CONNECTIONS, SECONDS);
      const { requests, latency } = result;
      printLine(
        `${CONNECTIONS} concurrent connections: ${failureCount(result)} of ${requests.total} requests failed (target 0), ` +
          `${requests.average.toFixed(0)} a second, median ${latency.p50} ms, p99 ${latency.p99} ms`,
      );
    }
  });
}
