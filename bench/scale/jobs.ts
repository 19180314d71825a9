import { exec } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { keys, pidOf, type Running, startService } from '../../test/support/processes.ts';
import { cpuOf, median, say } from '../measure.ts';
import { media, type Origin, startOrigin } from '../render/origin.ts';
import { type ServerCost, watchServer } from './server-cost.ts';
import { type Stand, withStand } from './stand.ts';

const workerCounts = [1, 2, 4] as const;
/** Jobs that a worker has under way. */
const SLOTS = 4;
/** Rounds for each number of workers: more where more minutes are given. */
const ROUNDS_A_MINUTE = 1;
const JOBS_A_ROUND = 60;
const CALLS_AT_ONCE = 8;
const POLL_INTERVAL_MS = 200;

const run = promisify(exec);

/** What a round took. */
interface Round {
  readonly jobsPerSecond: number;
  readonly startsPerSecond: number;
  /** Milliseconds of processor time for each job. */
  readonly cpu: { readonly node: number; readonly workers: number; readonly origin: number };
  readonly server: ServerCost;
}

/** Jobs with next to nothing to do, by one, two and four worker processes, against a shell script doing the same. */
export async function measureJobs(minutes: number): Promise<void> {
  const rounds = Math.max(1, Math.round(minutes * ROUNDS_A_MINUTE));
  const origin = await startOrigin(['tiny']);
  try {
    for (const workers of workerCounts) await withStand((stand) => compare(stand, origin, workers, rounds));
  } finally {
    await origin.close();
  }
}

async function compare({ databaseUrl, folder }: Stand, origin: Origin, count: number, rounds: number): Promise<void> {
  const start = (name: string, roles: string) =>
    startService(origin.url, join(folder, name), {
      ROLES: roles,
      DATABASE_URL: databaseUrl,
      STORAGE_URL: `file:${join(folder, 'files')}`,
      WORKER_CONCURRENCY: `${SLOTS}`,
      MAX_QUEUED_JOBS: '100000',
      LOG_LEVEL: 'error',
    });
  const node = await start('node', 'api,render');
  const workers = await Promise.all(Array.from({ length: count }, (_, index) => start(`worker-${index}`, 'worker')));
  const database = new pg.Client(databaseUrl);
  await database.connect();
  const server = await watchServer(databaseUrl);
  try {
    const ours: Round[] = [];
    const theirs: number[] = [];
    // The first pair is for the compilers and the caches.
    for (let round = 0; round <= rounds; round += 1) {
      const end = await server.begin();
      const measured = await measureRound(node, workers, origin, database);
      const pair = [{ ...measured, server: await end() }, await inShell(origin, count * SLOTS)] as const;
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
  node: Running,
  workers: readonly Running[],
  origin: Origin,
  database: pg.Client,
): Promise<Omit<Round, 'server'>> {
  const total = async (pids: readonly number[]) =>
    (await Promise.all(pids.map(cpuOf))).reduce((sum, seconds) => sum + seconds, 0);
  const pids = { node: [pidOf(node)], workers: workers.map(pidOf), origin: [origin.pid] };
  const before = await mapValues(pids, total);
  const prefix = randomUUID();
  const begun = performance.now();
  await startAll(node.url, prefix);
  const started = performance.now();
  await untilDone(database, prefix);
  const wall = (performance.now() - begun) / 1000;
  const after = await mapValues(pids, total);
  const each = (who: keyof typeof pids) => ((after[who] - before[who]) / JOBS_A_ROUND) * 1000;
  return {
    jobsPerSecond: JOBS_A_ROUND / wall,
    startsPerSecond: JOBS_A_ROUND / ((started - begun) / 1000),
    cpu: { node: each('node'), workers: each('workers'), origin: each('origin') },
  };
}

async function startAll(url: string, prefix: string): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < JOBS_A_ROUND) {
      next += 1;
      const job = {
        id: `${prefix}-${next}`,
        inputs: [{ url: `https://cdn.lab.example${media.tiny}`, ext: 'mp4' }],
        output: { ext: 'mp4' },
        operation: { type: 'convert_format' },
      };
      const answer = await fetch(`${url}/api/v1/render/execute`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${keys.render}` },
        body: JSON.stringify(job),
      });
      if (answer.status !== 202) throw new Error(`a job was not accepted: ${await answer.text()}`);
      await answer.body?.cancel();
    }
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, lane));
}

async function untilDone(database: pg.Client, prefix: string): Promise<void> {
  for (;;) {
    const { rows } = await database.query(
      `select count(*) filter (where state = 'done')::integer as done, min(error) as error
       from render_jobs where id like $1`,
      [`${prefix}-%`],
    );
    const [{ done, error }] = rows;
    if (error !== null) throw new Error(`a job of the benchmark failed: ${error}`);
    if (done === JOBS_A_ROUND) return;
    await delay(POLL_INTERVAL_MS);
  }
}

/** The peer: as many of curl, ffmpeg and ffprobe at a time, one after the other for each file. Jobs a second. */
async function inShell(origin: Origin, atOnce: number): Promise<number> {
  const folder = resolve('data', 'bench', 'scale');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const job = [
    `curl -sf -o {}.in.mp4 ${origin.url}${media.tiny}`,
    'ffmpeg -v error -i {}.in.mp4 -c copy -movflags +faststart {}.mp4',
    'ffprobe -v error {}.mp4',
    'rm {}.in.mp4',
  ].join(' && ');
  const begun = performance.now();
  await run(`seq ${JOBS_A_ROUND} | xargs -P ${atOnce} -I{} sh -c '${job}'`, { cwd: folder });
  const wall = (performance.now() - begun) / 1000;
  await rm(folder, { recursive: true, force: true });
  return JOBS_A_ROUND / wall;
}

function report(workers: number, ours: readonly Round[], theirs: readonly number[]): void {
  const middle = (of: (round: Round) => number) => median(ours.map(of));
  const ratio = median(ours.map(({ jobsPerSecond }, index) => jobsPerSecond / (theirs[index] ?? Number.NaN)));
  say(`${workers} worker processes, ${SLOTS} jobs each at once, a copy of ${media.tiny}:`);
  say(
    `  ${middle((round) => round.jobsPerSecond).toFixed(1)} jobs a second, ${ratio.toFixed(2)} of ` +
      `${median(theirs).toFixed(1)} by curl, ffmpeg and ffprobe, as many at once`,
  );
  const [node, working, origin] = (['node', 'workers', 'origin'] as const).map((who) =>
    middle((round) => round.cpu[who]).toFixed(1),
  );
  const database = middle(({ server, jobsPerSecond }) => ((server.cpu ?? Number.NaN) / jobsPerSecond) * 1000);
  const commits = middle(({ server, jobsPerSecond }) => server.commits / jobsPerSecond);
  say(
    `  CPU for each job: workers ${working} ms, API node ${node} ms, PostgreSQL ${database.toFixed(1)} ms ` +
      `(${commits.toFixed(1)} commits), origin ${origin} ms; starts: ` +
      `${middle((round) => round.startsPerSecond).toFixed(0)} a second`,
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
