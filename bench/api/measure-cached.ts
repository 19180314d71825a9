import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pidOf, temporaryFolder } from '../../test/support/processes.ts';
import { cpuOf, formatSpread, median, printLine } from '../measure.ts';
import { startBareServer } from './bare-server.ts';
import { failureCount, runLoad } from './run-load.ts';
import { withTarget } from './target.ts';

const CONNECTIONS = 100;
const SECONDS = 10;

/** Results of a server under load. */
interface LoadResult {
  readonly requestsPerSecond: number;
  /** Microseconds of the server's processor time for each request. */
  readonly cpu: number;
  readonly p99: number;
}

/** Repeats one request, alternating with a bare route that sends the same bytes. */
export function measureCached(rounds: number): Promise<void> {
  return withTarget(async ({ service, url, headers, body }) => {
    const folder = await temporaryFolder();
    const file = join(folder.path, 'body.json');
    await writeFile(file, body);
    const bare = await startBareServer(file);
    try {
      const ours: LoadResult[] = [];
      const theirs: LoadResult[] = [];
      // The first pair is a warm-up for the compilers.
      for (let round = 0; round <= rounds; round += 1) {
        const pair = [await measure(pidOf(service), url, headers), await measure(bare.pid, bare.url, headers)] as const;
        if (round === 0) continue;
        ours.push(pair[0]);
        theirs.push(pair[1]);
      }
      report(ours, theirs, body.length);
    } finally {
      bare.stop();
      await folder.delete();
    }
  });
}

async function measure(pid: number, url: string, headers: Readonly<Record<string, string>>): Promise<LoadResult> {
  const before = await cpuOf(pid);
  const result = await runLoad(url, headers, CONNECTIONS, SECONDS);
  const cpu = (await cpuOf(pid)) - before;
  if (failureCount(result) > 0) throw new Error(`${failureCount(result)} requests to ${url} failed`);
  return {
    requestsPerSecond: result.requests.average,
    cpu: (cpu / result.requests.total) * 1e6,
    p99: result.latency.p99,
  };
}

function report(ours: readonly LoadResult[], theirs: readonly LoadResult[], bytes: number): void {
  const ratios = (what: keyof LoadResult) =>
    ours.map((run, index) => run[what] / (theirs[index]?.[what] ?? Number.NaN));
  const medianOf = (runs: readonly LoadResult[], what: keyof LoadResult) =>
    median(runs.map((run) => run[what])).toFixed(0);
  printLine(
    `a cached response of ${bytes} bytes, ${CONNECTIONS} connections, against a bare Fastify route that sends the same bytes:`,
  );
  printLine(`  requests a second  ${formatSpread(ratios('requestsPerSecond'))} of the bare route's (target 0.6)`);
  for (const [name, runs] of [
    ['ours', ours],
    ['bare', theirs],
  ] as const) {
    const cpu = medianOf(runs, 'cpu');
    printLine(
      `  ${name}: ${medianOf(runs, 'requestsPerSecond')} a second, ${cpu} us of CPU each, p99 ${medianOf(runs, 'p99')} ms`,
    );
  }
}
