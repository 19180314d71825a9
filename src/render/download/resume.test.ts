import { copyFileSync, readdirSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serviceCaller } from '../../contract/caller.ts';
import { parseJob } from '../../contract/parse-job.ts';
import { createEgress } from '../../egress/create-egress.ts';
import type { Egress } from '../../egress/egress.ts';
import { propertyRuns } from '../../testing/property-runs.ts';
import { type DownloadContext, downloadInputs, type FetchedInput } from './download-inputs.ts';
import { createTimeBudgets } from './fetch-within-budget.ts';
import type { FileProgress } from './file-progress.ts';
import { downloadPlaced } from './placed-download.ts';
import { interleavingPlacer } from './testing/interleaving-placer.ts';
import { type RequestHandler, rangeOf, startOrigin } from './testing/origin.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Returns bytes that differ at every position and between seeds, so that a misplaced chunk is detected. */
function createBytes(size: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += 1) bytes[at] = Math.imul(at + seed, 2_654_435_761) >>> 23;
  return bytes;
}

/** Returns the path of the file of an input that consists of one file. */
function pathOf(input: FetchedInput | undefined): string {
  return input?.files[0]?.parts[0]?.path ?? '';
}

let egress: Egress;
let root: string;
let directory: string;
let origin: Awaited<ReturnType<typeof startOrigin>> | undefined;

beforeAll(() => {
  egress = createEgress({ EGRESS_ALLOW: [ipaddr.parseCIDR('127.0.0.1/32')], EGRESS_CONNECT_TO: [] });
});
afterAll(() => egress.close());
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'millrace-resume-'));
  directory = await mkdtemp(join(root, 'run-'));
});
afterEach(async () => {
  await origin?.close();
  origin = undefined;
  await rm(root, { recursive: true, force: true });
});

async function serve(handlers: Record<string, RequestHandler>) {
  await origin?.close();
  origin = await startOrigin(handlers);
  return origin;
}

/** Serves a version of the bytes, with ranges. */
function serveVersion(bytes: Buffer, etag?: string): RequestHandler {
  return (request, response) => {
    const range = rangeOf(request, bytes.length);
    const { from, to } = range ?? { from: 0, to: bytes.length - 1 };
    const head = { 'content-length': to - from + 1, ...(etag === undefined ? {} : { etag }) };
    if (from >= bytes.length) response.writeHead(416);
    else if (range === undefined) response.writeHead(200, head);
    else response.writeHead(206, { ...head, 'content-range': `bytes ${from}-${to}/${bytes.length}` });
    response.end(bytes.subarray(from, to + 1));
  };
}

/** The listeners of a fetch. */
type ProgressListeners = Pick<DownloadContext, 'onProgress' | 'hls'>;

function contextOf(
  job: ReturnType<typeof parseJob>,
  signal: AbortSignal,
  listeners: ProgressListeners,
): DownloadContext {
  const pause = async () => undefined;
  return { egress, caller: serviceCaller, directory, signal, budgets: createTimeBudgets(job), pause, ...listeners };
}

const crash = new Error('the process is killed');

/**
 * Fetches until a fraction, 0 to 1, has arrived, and then stops like a killed process: the next process only has what
 * is on the disk at that moment. Returns the fraction that had arrived.
 */
async function fetchUntil(
  part: number,
  fetch: (signal: AbortSignal, listeners: ProgressListeners) => Promise<unknown>,
) {
  const abort = new AbortController();
  const next = await mkdtemp(join(root, 'run-'));
  let reachedFraction = 0;
  const onProgress = (fraction: number) => {
    if (abort.signal.aborted || fraction < part) return;
    reachedFraction = fraction;
    // Journals are copied first, because a journal never records more than its file contains.
    const names = readdirSync(directory).toSorted((a, b) => Number(b.endsWith('l')) - Number(a.endsWith('l')));
    for (const name of names) copyFileSync(join(directory, name), join(next, name));
    abort.abort(crash);
  };
  await expect(fetch(abort.signal, { onProgress })).rejects.toBe(crash);
  directory = next;
  return reachedFraction;
}

const { signal } = new AbortController();
const fileJob = (url: string, chunkDownload = {}) =>
  parseJob({
    id: 'job',
    inputs: [{ url, ext: 'mp4', chunkDownload }],
    output: { ext: 'mp4' },
    operation: { type: 'no_process' },
  });

describe('a file fetched in ranges', () => {
  /** Returns the number of bytes requested since a given request. */
  const requestedBytes = (since: number, size: number) =>
    (origin?.requestLog ?? []).slice(since).reduce((sum, { range }) => {
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
      return sum + (from === undefined ? size : Math.min(Number(to), size - 1) - Number(from) + 1);
    }, 0);

  test('is complete no matter when its process is killed, and only bytes in flight are fetched twice', {
    timeout: 120_000,
  }, async () => {
    const cases = fc.record({
      size: fc.integer({ min: 1, max: 3 * MIB }),
      chunk: fc.integer({ min: 256 * KIB, max: MIB }),
      concurrency: fc.integer({ min: 1, max: 6 }),
      crashes: fc.array(fc.double({ min: 0, max: 0.95, noNaN: true }), { minLength: 1, maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ size, chunk, concurrency, crashes }) => {
        const bytes = createBytes(size);
        const { url, requestLog } = await serve({ '/a': serveVersion(bytes, '"1"') });
        const job = fileJob(`${url}/a`, { size: chunk, concurrency });
        directory = await mkdtemp(join(root, 'run-'));
        let reachedFraction = 0;
        for (const part of crashes.toSorted((a, b) => a - b)) {
          reachedFraction = await fetchUntil(part, (signal, listeners) =>
            downloadInputs(job, contextOf(job, signal, listeners)),
          );
        }
        const before = requestLog.length;
        const progress: number[] = [];
        const onProgress = (fraction: number) => progress.push(fraction);
        const [input] = await downloadInputs(job, contextOf(job, signal, { onProgress }));
        expect((await readFile(pathOf(input))).equals(bytes)).toBe(true);
        const fetchedBytes = requestedBytes(before, size);
        expect(fetchedBytes).toBeLessThanOrEqual(Math.round((1 - reachedFraction) * size) + 2 * concurrency * chunk);
        if (fetchedBytes < size) expect(Math.round((progress[0] ?? 0) * size)).toBe(size - fetchedBytes);
      }),
      { seed: 11, numRuns: propertyRuns(25) },
    );
  });

  /** Fetches half of one version, and then the version that the source serves now. */
  async function halfAndHalf(first: RequestHandler, second: RequestHandler) {
    let serving = first;
    const { url, requestLog } = await serve({ '/a': (request, response) => serving(request, response) });
    const job = fileJob(`${url}/a`, { size: 256 * KIB, concurrency: 1 });
    await fetchUntil(0.5, (signal, listeners) => downloadInputs(job, contextOf(job, signal, listeners)));
    serving = second;
    const before = requestLog.length;
    const [input] = await downloadInputs(job, contextOf(job, signal, { onProgress: () => undefined }));
    const file = await readFile(pathOf(input));
    return { file, ranges: requestLog.slice(before).map(({ range }) => range) };
  }

  test.each([
    ['another version', createBytes(2 * MIB, 7), '"2"'],
    ['another size', createBytes(MIB + 5, 7), '"1"'],
    ['another version that is smaller', createBytes(10, 7), '"2"'],
  ])('is fetched again if it has %s when the download resumes', async (_what, bytes, etag) => {
    const { file } = await halfAndHalf(serveVersion(createBytes(2 * MIB), '"1"'), serveVersion(bytes, etag));
    expect(file.equals(bytes)).toBe(true);
  });

  test('is complete no matter when its process is killed, and one byte of the stored part is fetched twice', async () => {
    const bytes = createBytes(2 * MIB, 7);
    const whole: RequestHandler = (_request, response) => {
      response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
    };
    expect((await halfAndHalf(serveVersion(createBytes(2 * MIB), '"1"'), whole)).file.equals(bytes)).toBe(true);
  });

  test.each([
    ['no version', undefined],
    ['only a weak version', 'W/"1"'],
  ])('is fetched again if its source sends %s', async (_what, etag) => {
    const bytes = createBytes(2 * MIB);
    const { file, ranges } = await halfAndHalf(serveVersion(bytes, etag), serveVersion(bytes, etag));
    expect(file.equals(bytes)).toBe(true);
    expect(ranges[0]).toBe('bytes=0-262143');
  });

  test('is fetched again for another job', async () => {
    const bytes = createBytes(2 * MIB);
    const { url, requestLog } = await serve({ '/a': serveVersion(bytes, '"1"') });
    const job = fileJob(`${url}/a`);
    await fetchUntil(0.9, (signal, listeners) => downloadInputs(job, contextOf(job, signal, listeners)));
    const before = requestLog.length;
    const other = { ...job, id: 'other' };
    await downloadInputs(other, contextOf(other, signal, { onProgress: () => undefined }));
    expect(requestedBytes(before, bytes.length)).toBe(bytes.length);
  });

  test('is not requested if it is complete', async () => {
    const bytes = createBytes(2 * MIB);
    const { url, requestLog } = await serve({ '/a': serveVersion(bytes, '"1"') });
    const job = fileJob(`${url}/a`);
    for (const requests of [2, 2]) {
      await downloadInputs(job, contextOf(job, signal, { onProgress: () => undefined }));
      expect(requestLog).toHaveLength(requests);
    }
  });
});

describe('a playlist', () => {
  const segmentsOf = (sizes: readonly number[]) => sizes.map((size, index) => createBytes(size, index * 1000));

  /** Serves a playlist whose links differ each time. */
  async function servePlaylist(segments: readonly Buffer[], etag: () => string | undefined) {
    let requestCount = 0;
    const handlers = segments.map((bytes, index): [string, RequestHandler] => [
      `/${index}.ts`,
      (request, response) => serveVersion(bytes, etag())(request, response),
    ]);
    const list: RequestHandler = (_request, response) => {
      requestCount += 1;
      const lines = segments.flatMap((_bytes, index) => ['#EXTINF:4,', `${index}.ts?signature=${requestCount}`]);
      response.writeHead(200).end(['#EXTM3U', '#EXT-X-TARGETDURATION:4', ...lines, '#EXT-X-ENDLIST'].join('\n'));
    };
    return await serve({ '/list': list, ...Object.fromEntries(handlers) });
  }

  const listJob = (url: string, concurrency: number) =>
    parseJob({
      id: 'job',
      inputs: [{ url: `${url}/list`, ext: 'm3u8', HLSPlaylistDownload: { concurrency } }],
      output: { ext: 'mp4' },
      operation: { type: 'convert_format' },
    });

  test('is complete wherever its process is killed, and one byte of the stored part is fetched twice', {
    timeout: 120_000,
  }, async () => {
    const cases = fc.record({
      sizes: fc.array(fc.integer({ min: 1, max: 200 * KIB }), { minLength: 1, maxLength: 12 }),
      concurrency: fc.integer({ min: 1, max: 4 }),
      part: fc.double({ min: 0, max: 0.95, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ sizes, concurrency, part }) => {
        const segments = segmentsOf(sizes);
        const { url, requestLog } = await servePlaylist(segments, () => '"1"');
        const job = listJob(url, concurrency);
        directory = await mkdtemp(join(root, 'run-'));
        const fetch = (signal: AbortSignal, listeners: ProgressListeners) =>
          downloadInputs(job, contextOf(job, signal, listeners));
        await fetchUntil(part, fetch);
        const there = (await readFile(join(directory, 'input-1.journal'), 'utf8')).split('\n');
        const storedCount = there.filter((line) => line.includes('"piece"')).length;
        const before = requestLog.length;
        const fileProgress: FileProgress[] = [];
        const hls = {
          onFiles: () => undefined,
          onFileProgress: (_path: string, progress: FileProgress) => fileProgress.push(progress),
        };
        const [input] = await fetch(signal, { onProgress: () => undefined, hls });
        const whole = Buffer.concat(segments);
        expect((await readFile(pathOf(input))).equals(whole)).toBe(true);
        const ends = sizes.map((_, at) => sizes.slice(0, at + 1).reduce((sum, size) => sum + size, 0));
        expect(fileProgress.at(-1)).toEqual({ bytes: whole.length, whole: true, ends });
        const requests = requestLog.slice(before).filter(({ url }) => url.includes('.ts'));
        const probes = requests.filter(({ range }) => range !== undefined).map(({ range }) => range);
        expect(requests.length - probes.length).toBe(segments.length - storedCount);
        expect(probes).toEqual(storedCount === 0 || storedCount === segments.length ? [] : ['bytes=0-0']);
      }),
      { seed: 12, numRuns: propertyRuns(25) },
    );
  });

  test.each([
    ['has another version by then', '"1"', '"2"'],
    ['sends no version', undefined, undefined],
  ])('is fetched again if its source %s', async (_what, first, second) => {
    const segments = segmentsOf([50_000, 60_000, 70_000, 80_000]);
    let etag = first;
    const { url, requestLog } = await servePlaylist(segments, () => etag);
    const job = listJob(url, 1);
    await fetchUntil(0.8, (signal, listeners) => downloadInputs(job, contextOf(job, signal, listeners)));
    etag = second;
    const before = requestLog.length;
    await downloadInputs(job, contextOf(job, signal, { onProgress: () => undefined }));
    const whole = requestLog.slice(before).filter(({ url, range }) => url.includes('.ts') && range === undefined);
    expect(whole).toHaveLength(segments.length);
  });
});

test('does not fetch placed fragments again', async () => {
  const files = [createBytes(6 * MIB, 1), createBytes(6 * MIB, 1000)] as const;
  const { url, requestLog } = await serve({ '/v': serveVersion(files[0], '"v"'), '/a': serveVersion(files[1], '"a"') });
  const job = parseJob({
    id: 'job',
    inputs: ['/v', '/a'].map((path) => ({ url: `${url}${path}`, ext: 'mp4', chunkDownload: { size: 256 * KIB } })),
    output: { ext: 'mp4' },
    operation: { type: 'join_streams' },
  });
  const fetch = (signal: AbortSignal, listeners: ProgressListeners) =>
    downloadPlaced(job, interleavingPlacer, contextOf(job, signal, listeners));
  const reachedFraction = await fetchUntil(0.6, fetch);
  const before = requestLog.length;
  const result = await fetch(signal, { onProgress: () => undefined });
  const requestedBytes = requestLog.slice(before).reduce((sum, { range }) => {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
    return sum + Number(to) - Number(from) + 1;
  }, 0);
  expect(requestedBytes).toBeLessThanOrEqual(Math.round((1 - reachedFraction) * 12 * MIB) + 16 * 256 * KIB);
  expect(requestLog.slice(before).some(({ range }) => range?.startsWith('bytes=0-'))).toBe(false);

  const resumedFile = await readFile(join(directory, 'placed.mp4'));
  directory = await mkdtemp(join(root, 'run-'));
  expect(result).toMatchObject({ kind: 'placed', heads: files.map(({ length }) => ({ size: length })) });
  await fetch(signal, { onProgress: () => undefined });
  expect(resumedFile.equals(await readFile(join(directory, 'placed.mp4')))).toBe(true);
  expect(await readdir(directory)).toEqual(['placed.mp4', 'placed.mp4.journal']);
});
