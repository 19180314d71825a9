import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pidOf, temporaryFolder } from '../../test/support/processes.ts';
import { cpuOf, median, say, spread } from '../measure.ts';
import { startBare } from './bare-server.ts';
import { failures, load } from './load.ts';
import { withStand } from './stand.ts';

const CONNECTIONS = 100;
const SECONDS = 10;

/** What a server did under load. */
interface Run {
  readonly requestsPerSecond: number;
  /** Microseconds of its processor time a request. */
  readonly cpu: number;
  readonly p99: number;
}

/** The same request again and again, against a bare route that sends the same bytes, in turn. */
export function measureCached(rounds: number): Promise<void> {
  return withStand(async ({ service, url, headers, body }) => {
    const folder = await temporaryFolder();
    const file = join(folder.path, 'body.json');
    await writeFile(file, body);
    const bare = await startBare(file);
    try {
      const ours: Run[] = [];
      const theirs: Run[] = [];
      // The first pair is for the compilers.
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

async function measure(pid: number, url: string, headers: Readonly<Record<string, string>>): Promise<Run> {
  const before = await cpuOf(pid);
  const result = await load(url, headers, CONNECTIONS, SECONDS);
  const cpu = (await cpuOf(pid)) - before;
  if (failures(result) > 0) throw new Error(`${failures(result)} requests to ${url} failed`);
  return {
    requestsPerSecond: result.requests.average,
    cpu: (cpu / result.requests.total) * 1e6,
    p99: result.latency.p99,
  };
}

function report(ours: readonly Run[], theirs: readonly Run[], bytes: number): void {
  const ratios = (what: keyof Run) => ours.map((run, index) => run[what] / (theirs[index]?.[what] ?? Number.NaN));
  const middle = (runs: readonly Run[], what: keyof Run) => median(runs.map((run) => run[what])).toFixed(0);
  say(
    `a cached answer of ${bytes} bytes, ${CONNECTIONS} connections, against a bare Fastify route that sends the same:`,
  );
  say(`  requests a second  ${spread(ratios('requestsPerSecond'))} of its (target 0.6)`);
  for (const [name, runs] of [
    ['ours', ours],
    ['bare', theirs],
  ] as const) {
    const cpu = middle(runs, 'cpu');
    say(
      `  ${name}: ${middle(runs, 'requestsPerSecond')} a second, ${cpu} us of CPU each, p99 ${middle(runs, 'p99')} ms`,
    );
  }
}
