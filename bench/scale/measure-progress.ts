import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { cpuOf, percentile, printLine } from '../measure.ts';
import type { BeatCommand } from './beats-main.ts';
import { watchServer } from './server-cost.ts';
import { type Setup, startHelper, withSetup } from './setup.ts';

const JOBS = 500;
/** Jobs of each worker: few workers with many jobs, and many workers with few, which costs the database more. */
const slotCounts = [50, 4] as const;
/** Number of finished jobs that the database also contains. */
const FINISHED_JOBS = 100_000;
const PROBE_INTERVAL_MS = 50;
/** The first heartbeats insert the rows that later ones update. */
const SETTLING_MS = 3_000;

/** Measures what the progress of 500 running jobs costs the database, and how it affects other statements. */
export async function measureProgress(minutes: number): Promise<void> {
  for (const slots of slotCounts) await withSetup((stand) => measure(stand, slots, minutes));
}

async function measure({ databaseUrl }: Setup, slots: number, minutes: number): Promise<void> {
  const beats = await startHelper('./beats-main.ts', databaseUrl, JOBS, slots);
  const server = await watchServer(databaseUrl);
  const probe = new pg.Client(databaseUrl);
  try {
    await probe.connect();
    await insertFinishedJobs(probe);
    await beats.request<number>({ start: true } satisfies BeatCommand);
    await delay(SETTLING_MS);
    const sizeBefore = await server.tables('render_progress', 'workers', 'render_jobs');
    const end = await server.begin();
    const cpuBefore = await cpuOf(beats.pid);
    const latencies = await runProbes(probe, minutes * 60_000);
    const cost = await end();
    const driver = ((await cpuOf(beats.pid)) - cpuBefore) / cost.seconds;
    const sizes = await server.tables('render_progress', 'workers', 'render_jobs');
    printLine(
      `${JOBS} running jobs beside ${FINISHED_JOBS} finished ones, ${slots} for each of ` +
        `${Math.ceil(JOBS / slots)} workers, ${minutes} minutes:`,
    );
    printLine(
      `  PostgreSQL: ${cost.cpu?.toFixed(3) ?? 'unknown'} cores, ${(cost.walBytes / 1000).toFixed(0)} kB of WAL, ` +
        `${cost.commits.toFixed(0)} commits and ${cost.updates.toFixed(0)} updates a second, ` +
        `${(cost.hotShare * 100).toFixed(1)} % of them HOT (the workers' side: ${driver.toFixed(3)} cores)`,
    );
    for (const [index, { table, bytes, live, dead }] of sizes.entries()) {
      const before = sizeBefore[index]?.bytes ?? Number.NaN;
      const kilobytes = [before, bytes].map((size) => (size / 1000).toFixed(0));
      printLine(`  ${table}: ${kilobytes[0]} kB at first, ${kilobytes[1]} kB at the end; ${live} rows, ${dead} dead`);
    }
    for (const [name, times] of latencies) {
      const [middle, p99] = [0.5, 0.99].map((share) => percentile(times, share).toFixed(2));
      printLine(
        `  concurrently, ${name}: median ${middle} ms, p99 ${p99} ms, worst ${Math.max(...times).toFixed(1)} ms`,
      );
    }
  } finally {
    await probe.end();
    await server.close();
    await beats.stop();
  }
}

/** Inserts rows as finished jobs leave them. */
async function insertFinishedJobs(client: pg.Client): Promise<void> {
  await client.query(
    `insert into render_jobs (id, owner, state, ttl, progress, file_key, file_name, file_size, file_link, expires_at)
     select 'kept-' || n, 'owner-' || n % 100, 'done', 7200000, 100, gen_random_uuid(), 'video.mp4', 1000000,
       repeat('x', 120), now() + interval '2 hours'
     from generate_series(1, $1::integer) n`,
    [FINISHED_JOBS],
  );
  await client.query('analyze render_jobs');
}

const probes: Readonly<Record<string, { readonly text: string; readonly values: readonly unknown[] }>> = {
  'reading one job': { text: 'select state from render_jobs where id = $1', values: ['job-0'] },
  'reading the status of 50 jobs': {
    text: `select j.id, j.state, coalesce(p.progress, j.progress) from render_jobs j
      left join render_progress p using (run) where j.id = any($1) and j.expires_at > now()`,
    values: [Array.from({ length: 50 }, (_, index) => `job-${index * 10}`)],
  },
  'a write': { text: `update service_facts set value = value where name = 'bench'`, values: [] },
};

/** Runs the statements repeatedly on one connection. Returns the milliseconds that each execution took. */
async function runProbes(client: pg.Client, milliseconds: number): Promise<ReadonlyMap<string, readonly number[]>> {
  await client.query(`insert into service_facts (name, value) values ('bench', '') on conflict do nothing`);
  const latencies = new Map<string, number[]>(Object.keys(probes).map((name) => [name, []]));
  for (const until = performance.now() + milliseconds; performance.now() < until; ) {
    for (const [name, { text, values }] of Object.entries(probes)) {
      const startedAt = performance.now();
      await client.query(text, [...values]);
      latencies.get(name)?.push(performance.now() - startedAt);
      await delay(PROBE_INTERVAL_MS);
    }
  }
  return latencies;
}
