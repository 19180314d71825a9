import { execFile } from 'node:child_process';
import { rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../test/support/free-port.ts';
import { describeJob, follow, post, type StartedJob } from '../../test/support/http-client.ts';
import { pidOf, type RunningProcess, startService, temporaryFolder } from '../../test/support/processes.ts';
import { type ControlGroup, createControlGroup } from '../control-group.ts';
import { type Cost, formatSpread, median, memoryOf, pairedRatios, printLine } from '../measure.ts';
import { indexSize } from './index-size.ts';
import { media, type Origin, startOrigin } from './origin.ts';
import {
  clippedFile,
  clipWithFfmpeg,
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
  clip: { media: ['video', 'audio'], measure: (stand) => compareClip(stand, 'join_streams', ['video', 'audio']) },
  'clip-file': { media: ['movie'], measure: (stand) => compareClip(stand, 'convert_format', ['movie']) },
  encode: { media: ['short'], measure: compareEncode },
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

/** Part that the clips keep: in the middle of the media, and not at a key frame. */
const part = { start: 1001.3, seconds: 30 };
/** Bytes that a clip may download besides those of its part and the index. */
const CLIP_SPARE_BYTES = 2_000_000;

/** Compares a clip out of 1 GB with ffmpeg on the same URLs: time until the file is on disk, and bytes downloaded. */
async function compareClip(
  stand: Setup,
  type: 'join_streams' | 'convert_format',
  names: readonly (keyof typeof media)[],
): Promise<void> {
  const { origin, rounds } = stand;
  const paths = names.map((name) => media[name]);
  const inputs = paths.map((path) => input(`/counted${path}`));
  const clip = { start: part.start, end: part.start + part.seconds };
  const bytes = { ours: [] as number[], theirs: [] as number[] };
  const count = async <T>(list: number[], work: () => Promise<T>) => {
    const before = await origin.countedBytes();
    const result = await work();
    list.push((await origin.countedBytes()) - before);
    return result;
  };
  const urls = paths.map((path) => `${origin.url}/counted${path}`);
  const { ours, theirs } = await inTurn(
    rounds,
    () => count(bytes.ours, () => timeJob(stand, describeJob(type, inputs, 'mp4', { clip }), saveResult)),
    () => count(bytes.theirs, () => clipWithFfmpeg(urls, part)),
  );
  report(
    `30 s out of 1 GB (${names.join(' + ')}) until the file is on disk, against ffmpeg -ss -t -c copy`,
    ours,
    theirs,
  );
  const needed = (await stat(clippedFile)).size;
  const indexes = await Promise.all(paths.map((path) => indexSize(join(origin.root, path))));
  const index = indexes.reduce((sum, size) => sum + size, 0);
  const most = Math.max(...bytes.ours);
  printLine(
    `  bytes: ${megabytes(most)} at most, ffmpeg ${megabytes(median(bytes.theirs))}; the part has ${megabytes(needed)}, ` +
      `the index ${megabytes(index)} (target ${megabytes(1.5 * needed + index + CLIP_SPARE_BYTES)})`,
  );
}

/**
 * Downloads the result of a job, as a client does. A pipeline of streams in this process would take 0.1 to 0.2 s of
 * processor time for 17 MB, from any server (measured 2026-11-26).
 */
async function saveResult(url: string): Promise<void> {
  await promisify(execFile)('curl', ['-sf', '-o', resolve('data', 'bench', 'clip.mp4'), url]);
}

async function compareEncode(stand: Setup): Promise<void> {
  const { origin, rounds } = stand;
  const operation = { type: 'convert_format', copyStreams: false };
  const encode = () => describeJob('convert_format', [input(media.short)], 'mp4', { operation });
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

/** Runs a job. If `save` is set, its time includes the download of the file. */
async function timeJob(
  { service, group }: Pick<Setup, 'service' | 'group'>,
  job: unknown,
  save?: (url: string) => Promise<void>,
): Promise<JobCost> {
  const cpu = await group.seconds();
  const startedAt = performance.now();
  const { body } = await post<StartedJob>(`${service.url}/api/v1/render/execute`, job);
  const last = (await follow(body.sseStatusUrl)).at(-1);
  if (last?.status !== 'done') throw new Error(`a job of the benchmark failed: ${last?.error}`);
  await save?.(last.output?.url ?? '');
  const wall = (performance.now() - startedAt) / 1000;
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
