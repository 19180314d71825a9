import pg from 'pg';
import { pidOf, type RunningProcess } from '../../test/support/processes.ts';
import { cpuOf, median, printLine } from '../measure.ts';
import { media, type Origin, startOrigin } from '../render/origin.ts';
import { runInShell, runJobs, SLOTS, startNode } from '../trivial-jobs.ts';
import { type ServerCost, watchServer } from './server-cost.ts';
import { type Setup, withSetup } from './setup.ts';

const workerCounts = [1, 2, 4] as const;
/** Number of rounds for each minute of the given time, with each number of workers. */
const ROUNDS_PER_MINUTE = 1;
const JOBS_PER_ROUND = 60;

/** Result of a round. */
interface Round {
  readonly jobsPerSecond: number;
  readonly startsPerSecond: number;
  /** Milliseconds of processor time for each job. */
  readonly cpu: { readonly node: number; readonly workers: number; readonly origin: number };
  readonly server: ServerCost;
}

/**
 * Measures trivial jobs with one, two and four worker processes, alternating with a shell script that does the same.
 */
export async function measureJobs(minutes: number): Promise<void> {
  const rounds = Math.max(1, Math.round(minutes * ROUNDS_PER_MINUTE));
  const origin = await startOrigin(['tiny']);
  try {
    for (const workers of workerCounts) await withSetup((stand) => compare(stand, origin, workers, rounds));
  } finally {
    await origin.close();
  }
}

async function compare(stand: Setup, origin: Origin, count: number, rounds: number): Promise<void> {
  const start = (name: string, roles: string) => startNode(stand, origin, name, roles);
  const node = await start('node', 'api,render');
  const workers = await Promise.all(Array.from({ length: count }, (_, index) => start(`worker-${index}`, 'worker')));
  const database = new pg.Client(stand.databaseUrl);
  await database.connect();
  const server = await watchServer(stand.databaseUrl);
  try {
    const ours: Round[] = [];
    const theirs: number[] = [];
    // The first pair is a warm-up for compilers and caches.
    for (let round = 0; round <= rounds; round += 1) {
      const end = await server.begin();
      const result = await measureRound(node, workers, origin, database);
      const pair = [
        { ...result, server: await end() },
        await runInShell(origin, JOBS_PER_ROUND, count * SLOTS),
      ] as const;
      if (round === 0) continue;
      ours.push(pair[0]);
      theirs.push(pair[1]);
    }
    report(count, ours, theirs);
  } finally {
    await server.close();
    await database.end();
    await Promise.all([node, ...workers].map((service) => service.stop()));
  }
}

async function measureRound(
  node: RunningProcess,
  workers: readonly RunningProcess[],
  origin: Origin,
  database: pg.Client,
): Promise<Omit<Round, 'server'>> {
  const total = async (pids: readonly number[]) =>
    (await Promise.all(pids.map(cpuOf))).reduce((sum, seconds) => sum + seconds, 0);
  const pids = { node: [pidOf(node)], workers: workers.map(pidOf), origin: [origin.pid] };
  const before = await mapValues(pids, total);
  const rates = await runJobs(node, database, JOBS_PER_ROUND);
  const after = await mapValues(pids, total);
  const each = (who: keyof typeof pids) => ((after[who] - before[who]) / JOBS_PER_ROUND) * 1000;
  return {
    ...rates,
    cpu: { node: each('node'), workers: each('workers'), origin: each('origin') },
  };
}

function report(workers: number, ours: readonly Round[], theirs: readonly number[]): void {
  const medianOf = (read: (round: Round) => number) => median(ours.map(read));
  const ratio = median(ours.map(({ jobsPerSecond }, index) => jobsPerSecond / (theirs[index] ?? Number.NaN)));
  printLine(`${workers} worker processes, ${SLOTS} concurrent jobs each, a copy of ${media.tiny}:`);
  printLine(
    `  ${medianOf((round) => round.jobsPerSecond).toFixed(1)} jobs a second, ${ratio.toFixed(2)} of ` +
      `${median(theirs).toFixed(1)} by curl, ffmpeg and ffprobe with the same concurrency`,
  );
  const [node, working, origin] = (['node', 'workers', 'origin'] as const).map((who) =>
    medianOf((round) => round.cpu[who]).toFixed(1),
  );
  const database = medianOf(({ server, jobsPerSecond }) => ((server.cpu ?? Number.NaN) / jobsPerSecond) * 1000);
  const commits = medianOf(({ server, jobsPerSecond }) => server.commits / jobsPerSecond);
  printLine(
    `  CPU for each job: workers ${working} ms, API node ${node} ms, PostgreSQL ${database.toFixed(1)} ms ` +
      `(${commits.toFixed(1)} commits), origin ${origin} ms; starts: ` +
      `${medianOf((round) => round.startsPerSecond).toFixed(0)} a second`,
  );
}

async function mapValues<Key extends string, From, To>(
  record: Readonly<Record<Key, From>>,
  change: (value: From) => Promise<To>,
): Promise<Record<Key, To>> {
  const pairs = await Promise.all(
    Object.entries<From>(record).map(async ([key, value]) => [key, await change(value)] as const),
  );
  // The keys are those of the record.
  return Object.fromEntries(pairs) as Record<Key, To>;
}
