import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serviceCaller } from '../../contract/caller.ts';
import { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import { parseJob } from '../../contract/parse-job.ts';
import { createEgress } from '../../egress/create-egress.ts';
import { type Visit, visitServers } from '../../testing/visit-servers.ts';
import { type DownloadContext, downloadInputs } from './download-inputs.ts';
import { makeFilm } from './excerpt/testing/make-film.ts';
import { planFromBytes } from './excerpt/testing/plan-from-bytes.ts';
import { createTimeBudgets } from './fetch-within-budget.ts';
import { downloadPlaced } from './placed-download.ts';
import { createInterleavingPlacer } from './testing/interleaving-placer.ts';
import { startOrigin } from './testing/origin.ts';

const egress = createEgress({ EGRESS_ALLOW: [ipaddr.parseCIDR('127.0.0.1/32')], EGRESS_CONNECT_TO: [] });
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-free-'));
});
afterAll(async () => {
  await egress.close();
  await rm(folder, { recursive: true, force: true });
});

/** Downloads something in an empty folder. Returns its outcome, or the code of the error, which names an input. */
async function downloadIn(
  { seed, random, versions }: Visit,
  members: Record<string, unknown>,
  download: (job: Job, context: DownloadContext) => Promise<string>,
): Promise<string> {
  const directory = await mkdtemp(join(folder, `${seed}-`));
  const parsedJob = parseJob({ id: 'job', output: { ext: 'mp4' }, operation: { type: 'join_streams' }, ...members });
  const concurrency = 1 + Math.floor(random() * 3);
  // Smaller than callers may request, like the files.
  const size = 200 + Math.floor(random() * versions[0].bytes.length);
  const inputs = parsedJob.inputs.map((input) => {
    return { ...input, chunks: { ...input.chunks, size, concurrency }, hlsConcurrency: concurrency };
  });
  const job = { ...parsedJob, inputs };
  const context = {
    egress,
    caller: serviceCaller,
    directory,
    signal: AbortSignal.timeout(60_000),
    budgets: createTimeBudgets(job),
    pause: async () => undefined,
    onProgress: () => undefined,
  };
  try {
    return await download(job, context);
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error;
    expect(error.message).toMatch(/input \d/i);
    return error.code;
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Returns the bytes of each file of a job's inputs. */
async function fetchInputs(job: Job, context: DownloadContext): Promise<Buffer[]> {
  const inputs = await downloadInputs(job, context);
  const files = inputs.flatMap(({ files }) => files);
  const bytes = await Promise.all(files.flatMap(({ parts }) => parts).map(({ path }) => readFile(path)));
  expect(files.map((file) => file.bytes)).toEqual(bytes.map(({ length }) => length));
  return bytes;
}

function downloadFile(visit: Visit): Promise<string> {
  const { random, server, isExact } = visit;
  const type = random() < 0.2 ? 'query' : 'header';
  const inputs = [{ url: server.url, ext: 'bin', chunkDownload: { type } }];
  return downloadIn(visit, { inputs, operation: { type: 'no_process' } }, async (job, context) => {
    const [bytes] = await fetchInputs(job, context);
    if (bytes === undefined || !isExact(bytes)) throw new Error('wrong bytes');
    return 'exact';
  });
}

/** Downloads the segments of a playlist. Returns their outcome. */
async function downloadSegments(
  visit: Visit,
  lines: readonly string[],
  isExact: (bytes: Buffer) => boolean,
): Promise<string> {
  const playlist = ['#EXTM3U', '#EXT-X-TARGETDURATION:4', ...lines, '#EXT-X-ENDLIST'].join('\n');
  const origin = await startOrigin({ '/list': (_request, response) => void response.writeHead(200).end(playlist) });
  const inputs = [{ url: `${origin.url}/list`, ext: 'm3u8' }];
  try {
    return await downloadIn(visit, { inputs }, async (job, context) => {
      const [bytes] = await fetchInputs(job, context);
      if (bytes === undefined || !isExact(bytes)) throw new Error('wrong bytes');
      return 'exact';
    });
  } finally {
    await origin.close();
  }
}

function downloadByteRanges(visit: Visit): Promise<string> {
  const { random, versions, server } = visit;
  const size = versions[0].bytes.length;
  const ends = Array.from({ length: 1 + Math.floor(random() * 5) }, () => 1 + Math.floor(random() * size));
  const bounds = [...new Set([0, ...ends])].toSorted((a, b) => a - b);
  const lines = bounds.slice(1).flatMap((end, index) => {
    const from = bounds[index] ?? 0;
    return ['#EXTINF:4,', `#EXT-X-BYTERANGE:${end - from}@${from}`, server.url];
  });
  const end = bounds.at(-1) ?? 0;
  return downloadSegments(visit, lines, (found) => versions.some(({ bytes }) => bytes.subarray(0, end).equals(found)));
}

/** Each segment is the whole file, in one of its versions. */
function downloadWholeSegments(visit: Visit): Promise<string> {
  const { random, versions, server } = visit;
  const count = 1 + Math.floor(random() * 4);
  const lines = Array.from({ length: count }, (_, at) => ['#EXTINF:4,', `${server.url}?segment=${at}`]).flat();
  const isSegments = (found: Buffer, left: number): boolean =>
    left === 0
      ? found.length === 0
      : versions.some(
          ({ bytes }) =>
            bytes.equals(found.subarray(0, bytes.length)) && isSegments(found.subarray(bytes.length), left - 1),
        );
  return downloadSegments(visit, lines, (found) => isSegments(found, count));
}

/** Places the fragments of two inputs, each of which is the whole file, in one of its versions. */
function downloadFragments(visit: Visit): Promise<string> {
  const { random, versions, server } = visit;
  const inputs = [0, 1].map((at) => ({ url: `${server.url}?input=${at}`, ext: 'mp4' }));
  const length = 100 + Math.floor(random() * 50_000);
  const placer = createInterleavingPlacer(length, { minBytes: 0, headBytes: 100 + Math.floor(random() * 5_000) });
  const place = (files: readonly Buffer[]) => {
    const placed = placer.place(files.map((bytes) => ({ head: bytes, size: bytes.length })));
    if ('declined' in placed) throw new Error(placed.declined);
    return Buffer.concat(
      placed.placement.ranges.map(({ input, from, to }) => files[input]?.subarray(from, to + 1) ?? Buffer.alloc(0)),
    );
  };
  return downloadIn(visit, { inputs }, async (job, context) => {
    const outcome = await downloadPlaced(job, placer, context);
    if (outcome.kind === 'declined') return 'declined';
    const found = await readFile(outcome.path);
    const files = versions.map(({ bytes }) => bytes);
    const isExact = files.some((one) => files.some((other) => place([one, other]).equals(found)));
    if (!isExact) throw new Error('wrong bytes');
    return 'exact';
  });
}

/** Films whose index does not fit into the first request. */
const films = [40, 45].map((seconds) => makeFilm({ seconds, frameBytes: 300 + seconds, packetBytes: 20 }));
const [film = Buffer.alloc(0), otherFilm = Buffer.alloc(0)] = films;

/** Downloads a part of a film, or the whole film if its server does not send parts. */
function downloadClip(visit: Visit): Promise<string> {
  const { random, server, isExact } = visit;
  const start = Math.floor(random() * 30);
  const clip = { start, end: start + 1 + Math.floor(random() * 10) };
  const inputs = [{ url: server.url, ext: 'mp4' }];
  return downloadIn(visit, { inputs, clip }, async (job, context) => {
    const [input] = await downloadInputs(job, context);
    const file = input?.files[0];
    const bytes = await readFile(file?.parts[0]?.path ?? '');
    const isClip = films.some((each) => planFromBytes(each, clip).file.equals(bytes));
    const isWhole = input?.wholeReason !== undefined;
    if (!(isWhole ? isExact(bytes) : isClip)) throw new Error('wrong bytes');
    return isWhole ? 'whole' : 'exact';
  });
}

test.each([
  ['a file', downloadFile, 240],
  ['the byte ranges of a playlist', downloadByteRanges, 150],
  ['the segments of a playlist', downloadWholeSegments, 90],
  ['the fragments of two files', downloadFragments, 90],
  ['a clip', downloadClip, 90, () => [film, otherFilm] as const],
] as const)(
  '%s from any server is exact, or the error names the reason',
  async (_what, download, servers, versions?) => {
    const outcomes = await visitServers(
      versions === undefined ? { servers, mayKeepSize: true } : { servers, versions },
      download,
    );
    expect(outcomes.exact).toBeGreaterThan(servers / 3 / 3);
  },
);
