import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { MillraceError } from '../../src/contract/errors.ts';
import { parseJob } from '../../src/contract/parse-job.ts';
import { openPostgres } from '../../src/database/server/postgres-database.ts';
import { openJobs } from '../../src/render/jobs/jobs.ts';
import { openQueue } from '../../src/render/jobs/queue/queue.ts';
import { createSealer } from '../../src/sealing/sealer.ts';
import { serveRequests } from './setup.ts';

/**
 * Keeps jobs running without working on them, with the calls that a worker makes: it claims them and sends a heartbeat
 * once a second. `beats-main.ts <database> <jobs> <jobs of a worker>`; the jobs are job-0, job-1 …
 */

/** A command: start all jobs, or end some of them with a pause of `apart` milliseconds between two. */
export type BeatCommand = { readonly start: true } | { readonly end: number; readonly apart: number };

/** Each ended job by number, with the time of its end in milliseconds since 1970. */
export type Ends = readonly (readonly [job: number, at: number])[];

const CONCURRENT_STARTS = 8;

const [url = '', jobCount = '', slots = ''] = process.argv.slice(2);
const count = Number(jobCount);
const size = Number(slots);
const database = await openPostgres(url, pino({ level: 'warn' }));
const sealer = createSealer(['the secret of a benchmark']);
const jobs = openJobs(database, sealer, Number.POSITIVE_INFINITY);
const queue = openQueue(database, sealer);

interface Running {
  readonly job: number;
  readonly since: number;
}

interface Worker {
  readonly id: string;
  readonly runs: Map<string, Running>;
}

const workers = Array.from({ length: Math.ceil(count / size) }, (): Worker => ({ id: randomUUID(), runs: new Map() }));

const description = (job: number) =>
  parseJob({
    id: `job-${job}`,
    inputs: [{ url: 'https://cdn.lab.example/a.mp4', ext: 'mp4' }],
    output: { ext: 'mp4' },
    operation: { type: 'convert_format' },
    ttl: 7_200_000,
  });

async function start(): Promise<number> {
  const startedAt = performance.now();
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const job = next;
      next += 1;
      await jobs.start(description(job), 'bench');
      await claimJob(job % workers.length);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_STARTS }, lane));
  return performance.now() - startedAt;
}

/**
 * Claims the job that has waited longest for a worker. If other workers were faster, it retries, because there is still
 * a job for this worker.
 */
async function claimJob(index: number, attempts = 100): Promise<void> {
  const worker = workers[index];
  if (worker === undefined) throw new Error(`worker ${index} does not exist`);
  const claimedJob = await queue.claim(worker.id);
  if (claimedJob === undefined && attempts > 0) return claimJob(index, attempts - 1);
  if (claimedJob === undefined) throw new Error('the queue returned no job, although one was started for each claim');
  if (worker.runs.size === 0) keepAlive(worker, index / workers.length);
  worker.runs.set(claimedJob.run, { job: Number(claimedJob.id.slice('job-'.length)), since: performance.now() });
}

/** Sends heartbeats once a second. The heartbeats of all workers are spread over the second. */
function keepAlive(worker: Worker, part: number): void {
  const beat = () => {
    const progress = new Map([...worker.runs].map(([run, { since }]) => [run, percent(since)]));
    queue.heartbeat(worker.id, size, progress).then((renewedRuns) => {
      const lostRuns = [...progress.keys()].filter((run) => !renewedRuns.has(run) && worker.runs.has(run));
      if (lostRuns.length > 0) fail(new Error(`${lostRuns.length} runs were lost`));
    }, fail);
  };
  setTimeout(() => setInterval(beat, 1_000), part * 1_000);
}

/** Progress of a job that takes ten minutes. */
function percent(since: number): number {
  return Math.min(99, Math.floor((performance.now() - since) / 6_000));
}

async function end(count: number, apart: number): Promise<Ends> {
  const ends: [number, number][] = [];
  const runs = workers.flatMap((worker) => [...worker.runs].map(([run, { job }]) => ({ worker, run, job })));
  for (const { worker, run, job } of runs.slice(0, count)) {
    worker.runs.delete(run);
    await queue.fail(run, new MillraceError('processing_failed', 'the benchmark ends'), 50);
    ends.push([job, performance.timeOrigin + performance.now()]);
    await delay(apart);
  }
  return ends;
}

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
}

serveRequests<BeatCommand>((order) =>
  'start' in order ? start() : end(order.end, order.apart).then((ends) => [...ends]),
);
