import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../test/support/free-port.ts';
import { describeJob, follow, post, type StartedJob } from '../../test/support/http-client.ts';
import { pidOf, type RunningProcess, startService, temporaryFolder } from '../../test/support/processes.ts';
import { type ControlGroup, createControlGroup } from '../control-group.ts';
import { type Cost, formatSpread, median, memoryOf, pairedRatios, printLine } from '../measure.ts';
import { media, type Origin, startOrigin } from './origin.ts';
import {
  downloadWithAria,
  encodeWithFfmpeg,
  hlsWithAria,
  joinAndHash,
  joinWithAria,
  missingTools,
  mixWithFfmpeg,
} from './peers.ts';

const SAMPLE_INTERVAL_MS = 100;
/** Upper limit of the data that one run writes to the page cache, in MiB: the two inputs and the result. */
const FILL_MIB = 2400;

/** The resources that the rows need to measure. */
interface Setup {
  readonly service: RunningProcess;
  /** Counts the processor time of the service and its children. */
  readonly group: ControlGroup;
  readonly origin: Origin;
  readonly clock: RequestClock;
  readonly rounds: number;
}

interface Row {
  readonly media: readonly (keyof typeof media)[];
  measure(stand: Setup): Promise<void>;
}

const rows: Readonly<Record<string, Row>> = {
  join: { media: ['video', 'audio'], measure: compareJoin },
  hashes: { media: ['video', 'audio'], measure: compareHashes },
  download: { media: ['video', 'audio'], measure: compareDownload },
  memory: { media: ['longVideo', 'longAudio'], measure: measureMemory },
  hls: { media: ['playlist'], measure: compareHls },
  encode: { media: ['clip'], measure: compareEncode },
  mix: { media: ['talk', 'music'], measure: compareMix },
  throttled: { media: ['small'], measure: measureThrottled },
  'first-byte': { media: [], measure: measureFirstByte },
};

/** Names of the rows, in order. */
export const renderRows: readonly string[] = Object.keys(rows);

/**
 * Runs whole jobs through the HTTP API, including the check of the result, alternating with public tools on the same
 * origin.
 */
export async function renderBench(rounds: number, names: readonly string[]): Promise<void> {
  const selectedRows = names.flatMap((name) => rows[name] ?? []);
  const missing = await missingTools();
  if (missing.length > 0)
    throw new Error(`Install ${missing.join(', ')} first (Debian: aria2 ffmpeg nginx-light curl openssl).`);
  const origin = await startOrigin(selectedRows.flatMap(({ media }) => media));
  const folder = await temporaryFolder('data');
  const clock = await startRequestClock();
  const settings = {
    WORKER_CONCURRENCY: '2',
    LOG_LEVEL: 'error',
    EGRESS_CONNECT_TO: `${clock.host}=${clock.url},*=${origin.url}`,
  };
  await (await startService(origin.url, folder.path, settings)).stop();
  const startedAt = performance.now();
  const service = await startService(origin.url, folder.path, settings);
  const group = await createControlGroup('millrace-bench');
  const ready = (performance.now() - startedAt) / 1000;
  try {
    printLine(`second start to ready: ${ready.toFixed(2)} s (target 2.5)`);
    printLine(`idle memory of the process tree: ${megabytes(await memoryOf(pidOf(service)))}`);
    await group.add(pidOf(service));
    for (const row of selectedRows) await row.measure({ service, group, origin, clock, rounds });
  } finally {
    await service.stop();
    await group.remove();
    await folder.delete();
    await origin.close();
    clock.close();
  }
}

const input = (path: string, more = {}) => ({
  url: `https://cdn.lab.example${path}`,
  ext: path.split('.').at(-1) ?? '',
  ...more,
});

async function compareJoin(stand: Setup): Promise<void> {
  const { origin, rounds } = stand;
  const job = () => describeJob('join_streams', [input(media.video), input(media.audio)], 'mp4');
  const { ours, theirs } = await inTurn(
    rounds,
    () => timeJob(stand, job()),
    () => joinWithAria(origin.url),
  );
  report('1 GB DASH video + audio to MP4, against aria2c -x8 on both and ffmpeg +faststart', ours, theirs);
}

/** Compares the join with a script that also hashes the inputs and the result, as a receipt needs. */
async function compareHashes(stand: Setup): Promise<void> {
  const { origin, rounds } = stand;
  const job = () => describeJob('join_streams', [input(media.video), input(media.audio)], 'mp4');
  const { ours, theirs } = await inTurn(
    rounds,
    () => timeJob(stand, job()),
    () => joinAndHash(origin.url),
  );
  report(
    '1 GB DASH video + audio to MP4, against aria2c -x8, ffmpeg +faststart and openssl on all files',
    ours,
    theirs,
  );
}

/** Compares the whole join with only its two downloads. */
async function compareDownload(stand: Setup): Promise<void> {
  const { origin, rounds } = stand;
  const job = () => describeJob('join_streams', [input(media.video), input(media.audio)], 'mp4');
  const { ours, theirs } = await inTurn(
    rounds,
    () => timeJob(stand, job()),
    () => downloadWithAria(origin.url),
  );
  report(
    '1 GB DASH video + audio to MP4, against only the two downloads with aria2c -x8 (wall: target 1.05)',
    ours,
    theirs,
  );
}

/**
 * Copies 5 GB with each strategy: writing fragments to their final position, copying a file in one pass, and using the
 * media library.
 */
async function measureMemory(stand: Setup): Promise<void> {
  const pair = [input(media.longVideo), input(media.longAudio)];
  const jobs = {
    'fragments joined into MP4': describeJob('join_streams', pair, 'mp4'),
    'a file copied into MP4': describeJob('convert_format', [input(media.longVideo)], 'mp4'),
    'files joined into MKV': describeJob('join_streams', pair, 'mkv'),
  };
  for (const [what, job] of Object.entries(jobs)) {
    printLine(
      `peak memory of the process tree, 5 GB of ${what}: ${megabytes(await peakMemory(stand, job))} (target 450 MB)`,
    );
  }
}

async function compareHls(stand: Setup): Promise<void> {
  const { origin, rounds } = stand;
  const job = () =>
    describeJob('convert_format', [input(media.playlist, { HLSPlaylistDownload: { concurrency: 8 } })], 'mp4');
  const { ours, theirs } = await inTurn(
    rounds,
    () => timeJob(stand, job()),
    () => hlsWithAria(origin.url),
  );
  report('HLS TS 300 MB to MP4, against aria2c -j8 over the segments and ffmpeg', ours, theirs);
}

async function compareEncode(stand: Setup): Promise<void> {
  const { origin, rounds } = stand;
  const operation = { type: 'convert_format', copyStreams: false };
  const encode = () => describeJob('convert_format', [input(media.clip)], 'mp4', { operation });
  const costs = await inTurn(
    rounds,
    () => timeJob(stand, encode()),
    () => encodeWithFfmpeg(origin.root),
  );
  report(
    're-encode of 30 s of 1080p, including download and check of the result, against ffmpeg with the same settings',
    costs.ours,
    costs.theirs,
  );
}

async function compareMix(stand: Setup): Promise<void> {
  const { origin, rounds } = stand;
  const mix = () => describeJob('mix_audio_and_video', [input(media.talk), input(media.music)], 'mp4');
  const costs = await inTurn(
    rounds,
    () => timeJob(stand, mix()),
    () => mixWithFfmpeg(origin.root),
  );
  report('mix of 5 minutes, including download and check of the result, against ffmpeg', costs.ours, costs.theirs);
}

async function measureThrottled(stand: Setup): Promise<void> {
  const { rounds } = stand;
  const worth: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const job = describeJob(
      'no_process',
      [input(`/slow${media.small}`, { chunkDownload: { concurrency: 10 } })],
      'mp4',
    );
    const { wall, size } = await timeJob(stand, job);
    worth.push(size / wall / 2_000_000);
  }
  printLine(
    `origin throttled to 2 MB/s a connection, concurrency 10: throughput of ${formatSpread(worth, 1)} connections (target 9)`,
  );
}

/** Measures from the start call to the first request to the source, on an idle service. */
async function measureFirstByte({ service, clock }: Setup): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < 21; round += 1) {
    const job = describeJob('no_process', [{ url: `https://${clock.host}/${round}.mp4`, ext: 'mp4' }], 'mp4');
    const firstRequest = clock.next();
    const startedAt = performance.now();
    const { body } = await post<StartedJob>(`${service.url}/api/v1/render/execute`, job);
    times.push((await firstRequest) - startedAt);
    await follow(body.sseStatusUrl);
  }
  printLine(`POST to the first request to the source: ${formatSpread(times, 0)} ms (target 60)`);
}

/** A source that records the time of requests and responds with 404. */
interface RequestClock {
  readonly host: string;
  readonly url: string;
  /** Settles at the next request with its time. */
  next(): Promise<number>;
  close(): void;
}

async function startRequestClock(): Promise<RequestClock> {
  let onRequest: (moment: number) => void = () => undefined;
  const port = await freePort();
  const server = createServer((_request, response) => {
    onRequest(performance.now());
    response.writeHead(404).end();
  }).listen(port, '127.0.0.1');
  return {
    host: 'clock.lab.example',
    url: `http://127.0.0.1:${port}`,
    next: () => new Promise((resolve) => (onRequest = resolve)),
    close: () => server.close(),
  };
}

interface JobCost extends Cost {
  /** Bytes of the result. */
  readonly size: number;
}

async function timeJob({ service, group }: Pick<Setup, 'service' | 'group'>, job: unknown): Promise<JobCost> {
  const cpu = await group.seconds();
  const startedAt = performance.now();
  const { body } = await post<StartedJob>(`${service.url}/api/v1/render/execute`, job);
  const last = (await follow(body.sseStatusUrl)).at(-1);
  const wall = (performance.now() - startedAt) / 1000;
  if (last?.status !== 'done') throw new Error(`a job of the benchmark failed: ${last?.error}`);
  return { wall, cpu: (await group.seconds()) - cpu, size: last.output?.size ?? 0 };
}

/** Returns the peak memory of the service during a job. Sampling slows the service down, so such a run is not timed. */
async function peakMemory(stand: Setup, job: unknown): Promise<number> {
  let peak = 0;
  let running = true;
  const sampling = (async () => {
    while (running) {
      peak = Math.max(peak, await memoryOf(pidOf(stand.service)));
      await delay(SAMPLE_INTERVAL_MS);
    }
  })();
  await timeJob(stand, job);
  running = false;
  await sampling;
  return peak;
}

/** Runs both alternately (A B A B …), after one uncounted run of each. */
async function inTurn(rounds: number, ours: () => Promise<Cost>, theirs: () => Promise<Cost>) {
  await ours();
  await theirs();
  const costs = { ours: [] as Cost[], theirs: [] as Cost[] };
  for (let round = 0; round < rounds; round += 1) {
    await equalizeMemory();
    costs.ours.push(await ours());
    await equalizeMemory();
    costs.theirs.push(await theirs());
  }
  return costs;
}

/**
 * Gives each run the same start: earlier writes are flushed to disk, and the machine holds enough memory that was in
 * use a moment ago. A virtual machine may return freed memory to its host within seconds. Getting it back then costs
 * the next run nine times as much as writing to memory that the machine still has (2.6 s against 0.3 s a gigabyte,
 * measured 2026-11-21).
 */
async function equalizeMemory(): Promise<void> {
  const run = promisify(execFile);
  await run('sync');
  const file = resolve('data', 'bench', 'fill');
  await run('dd', ['if=/dev/zero', `of=${file}`, 'bs=1M', `count=${FILL_MIB}`]);
  await rm(file);
}

function report(title: string, ours: readonly Cost[], theirs: readonly Cost[]): void {
  printLine(title);
  for (const what of ['wall', 'cpu'] as const) {
    const seconds = (costs: readonly Cost[]) => median(costs.map((cost) => cost[what])).toFixed(2);
    printLine(
      `  ${what}: ${formatSpread(pairedRatios(ours, theirs, what))}   (${seconds(ours)} s against ${seconds(theirs)} s)`,
    );
  }
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`;
