import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pidOf, type RunningProcess, startService } from '../../test/support/processes.ts';
import { cpuOf, median, memoryOf, percentile, printLine } from '../measure.ts';
import type { Ends, BeatCommand as JobOrder } from './beats-main.ts';
import type { LastEvents, ListenerCommand as ListenerOrder, ListenResult } from './listeners-main.ts';
import { type ServerCost, watchServer } from './server-cost.ts';
import { type Helper, type Setup, startHelper, withSetup } from './setup.ts';

const STREAMS = 10_000;
/** Files that a process has open besides its streams. */
const OTHER_FILES = 200;
const SAMPLE_INTERVAL_MS = 10_000;
/** Lets the garbage from opening all streams be collected, so that it is not measured. */
const SETTLING_MS = 5_000;
const ENDED_JOBS = 100;
const END_INTERVAL_MS = 50;

/** Number of jobs that the streams belong to, and number of jobs of each worker. */
const subscriptions = [
  { jobs: 500, slots: 4 },
  { jobs: 10_000, slots: 64 },
] as const;

/**
 * Listens to jobs on one API process for this number of minutes, first with twenty streams for each job, then with one.
 */
export async function measureStreams(minutes: number): Promise<void> {
  await checkOpenFiles();
  for (const { jobs, slots } of subscriptions) await withSetup((stand) => listen(stand, jobs, slots, minutes));
}

/** Throws if this process cannot open enough sockets. */
export async function checkOpenFiles(): Promise<void> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const [, maxOpenFiles = 'unlimited'] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  if (Number(maxOpenFiles) < STREAMS + OTHER_FILES) {
    throw new Error(
      `${STREAMS} streams need as many open files; ${maxOpenFiles} are allowed. Raise the limit: ulimit -n 20000`,
    );
  }
}

async function listen({ databaseUrl, folder }: Setup, jobs: number, slots: number, minutes: number): Promise<void> {
  const seconds = Math.round(minutes * 60);
  const service = await startService('http://127.0.0.1:9', join(folder, 'node'), {
    ROLES: 'api,render',
    DATABASE_URL: databaseUrl,
    STORAGE_URL: `file:${join(folder, 'files')}`,
    LOG_LEVEL: 'error',
  });
  const beats = await startHelper('./beats-main.ts', databaseUrl, jobs, slots);
  const port = new URL(service.url).port;
  const listeners = await startHelper('./listeners-main.ts', port, STREAMS, jobs, seconds);
  const server = await watchServer(databaseUrl);
  try {
    await beats.request<number>({ start: true } satisfies JobOrder);
    const opening = await listeners.request<number>({ open: true } satisfies ListenerOrder);
    await delay(SETTLING_MS);
    const endServer = await server.begin();
    const samples = sample(service, beats, listeners);
    const result = await listeners.request<ListenResult>({ listen: seconds } satisfies ListenerOrder);
    report(jobs, opening, result, await samples.end(), await endServer());
    await measureEnds(beats, listeners);
    const output = service.output();
    if (output !== '') printLine(`the service printed:\n${output.slice(0, 2_000)}`);
  } finally {
    await server.close();
    await Promise.all([listeners.stop(), beats.stop()]);
    await service.stop();
  }
}

/** Cost of the processes up to a point in time, while the streams are open. */
interface Sample {
  /** Seconds since the beginning. */
  readonly at: number;
  /** Bytes of the service. */
  readonly memory: number;
  /** Seconds of processor time. */
  readonly cpu: { readonly service: number; readonly listeners: number; readonly beats: number };
}

function sample(service: RunningProcess, beats: Helper, listeners: Helper) {
  const samples: Sample[] = [];
  const startedAt = performance.now();
  const take = async () => {
    const cpu = {
      service: await cpuOf(pidOf(service)),
      listeners: await cpuOf(listeners.pid),
      beats: await cpuOf(beats.pid),
    };
    samples.push({ at: (performance.now() - startedAt) / 1000, memory: await memoryOf(pidOf(service)), cpu });
  };
  let taking = take();
  const timer = setInterval(() => {
    taking = taking.then(take);
  }, SAMPLE_INTERVAL_MS);
  return {
    async end(): Promise<readonly Sample[]> {
      clearInterval(timer);
      await taking;
      await take();
      return samples;
    },
  };
}

function report(
  jobs: number,
  opening: number,
  result: ListenResult,
  samples: readonly Sample[],
  server: ServerCost,
): void {
  const { events, missing, closed, busy } = result;
  const times = [result.median, result.p99, result.worst].map((time) => time.toFixed(0));
  printLine(`${STREAMS} streams of ${jobs} jobs, half of them WebSockets and half SSE, on one process:`);
  printLine(`  opened in ${opening.toFixed(1)} s, each with its first event`);
  printLine(
    `  lateness: median ${times[0]} ms, p99 ${times[1]} ms (target 250), worst ${times[2]} ms, of ${events} events`,
  );
  printLine(`  events missing: ${missing}, streams dropped: ${closed} (target 0)`);
  printLine(`  ${memoryLine(samples)}`);
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined) throw new Error('there are no samples');
  const cores = (who: keyof Sample['cpu']) => ((last.cpu[who] - first.cpu[who]) / (last.at - first.at)).toFixed(2);
  const database = server.cpu?.toFixed(2) ?? 'elsewhere';
  printLine(
    `  cores: service ${cores('service')}, listeners ${cores('listeners')} (${(busy * 100).toFixed(0)} % busy), ` +
      `heartbeats ${cores('beats')}, PostgreSQL ${database}`,
  );
}

/**
 * Compares the memory at minutes 2 and 10; each value is the median of the minute around that time. A shorter run
 * compares its beginning and its end.
 */
function memoryLine(samples: readonly Sample[]): string {
  const total = samples.at(-1)?.at ?? 0;
  const whole = total >= 630;
  const [early, late] = whole ? [120, 600] : [0, total];
  const around = (moment: number) =>
    median(samples.filter(({ at }) => Math.abs(at - moment) <= 30).map(({ memory }) => memory)) / 1e6;
  const [before, after] = [around(early), around(late)];
  const verdict = whole ? 'target 1.1' : 'too short for the target, which compares minutes 2 and 10';
  return (
    `memory: ${before.toFixed(0)} MB around minute ${(early / 60).toFixed(1)}, ${after.toFixed(0)} MB around minute ` +
    `${(late / 60).toFixed(1)}: ${(after / before).toFixed(2)} (${verdict})`
  );
}

/** Ends some jobs while all streams are open. */
async function measureEnds(beats: Helper, listeners: Helper): Promise<void> {
  const ends = new Map(await beats.request<Ends>({ end: ENDED_JOBS, apart: END_INTERVAL_MS } satisfies JobOrder));
  await delay(1_000);
  const last = await listeners.request<LastEvents>({ ends: true } satisfies ListenerOrder);
  const lags = last.flatMap(([job, at]) => {
    const end = ends.get(job);
    return end === undefined ? [] : [at - end];
  });
  printLine(
    `  the end of ${ENDED_JOBS} jobs, reported on ${lags.length} streams: median ${median(lags).toFixed(0)} ms, ` +
      `p99 ${percentile(lags, 0.99).toFixed(0)} ms, worst ${Math.max(...lags).toFixed(0)} ms (target 250)`,
  );
}
