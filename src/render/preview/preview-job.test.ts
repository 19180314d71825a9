import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import type { JobDescription } from '../../contract/job.ts';
import type { MediaFetch } from '../../contract/media-fetch.ts';
import { parseJob } from '../../contract/parse-job.ts';
import { openTestDatabase, type TestDatabase } from '../../database/testing/test-database.ts';
import { createUrlCheck } from '../../egress/create-egress.ts';
import type { EgressRequest, ResponseHead } from '../../egress/egress.ts';
import type { Exit } from '../../egress/exits.ts';
import { createSealer } from '../../sealing/sealer.ts';
import { type Jobs, openJobs, startConditionsOf } from '../jobs/jobs.ts';
import { createPreviewer, type PreviewServices } from './preview-job.ts';

const MB = 1_000_000;

let database: TestDatabase;
let jobs: Jobs;

beforeAll(async () => {
  database = await openTestDatabase();
  jobs = openJobs(database, createSealer(['a secret for these tests']), 100);
});
afterAll(() => database.close());
beforeEach(() => database.query('delete from render_jobs'));

/** Refuses literal addresses; no name is resolved. */
const checkStoreUrl = createUrlCheck({
  EGRESS_ALLOW: [],
  EGRESS_CONNECT_TO: [{ pattern: '*', origin: new URL('http://127.0.0.1:1') }],
});

type SourceResponse = Partial<ResponseHead> & { readonly body?: string };

/** Creates exits whose sources respond with these heads, by the path of their link. */
function exitsOf(responses: Readonly<Record<string, SourceResponse | MillraceError>>) {
  const requests: EgressRequest[] = [];
  const exit: Exit = {
    id: 'direct',
    async exchange(request, receive) {
      requests.push(request);
      const response = responses[new URL(request.url).pathname.slice(1)] ?? { status: 404 };
      if (response instanceof MillraceError) throw response;
      const head = { status: 200, headers: {}, url: request.url, ...response };
      await receive(head)?.write(Buffer.from(response.body ?? ''));
      return head;
    },
    close: async () => undefined,
  };
  const exits: PreviewServices['exits'] = { forJobs: exit, byId: () => exit };
  return { requests, exits };
}

const respondWithSize = (size: number): SourceResponse => ({
  status: 206,
  headers: { 'content-range': `bytes 0-0/${size}` },
});

function job(files: readonly string[], more: Partial<JobDescription> = {}) {
  return parseJob({
    id: 'one',
    inputs: files.map((file) => ({ url: `https://cdn.example/${file}`, ext: file.split('.')[1] ?? '' })),
    output: { ext: 'mp4' },
    operation: { type: 'join_streams' },
    ...more,
  });
}

const signal = AbortSignal.timeout(60_000);

function preview(
  responses: Readonly<Record<string, SourceResponse | MillraceError>>,
  what = job(Object.keys(responses)),
  { maxUnfinished, maxQueued = 100 }: { maxUnfinished?: number; maxQueued?: number } = {},
) {
  const { requests, exits } = exitsOf(responses);
  return {
    requests,
    outcome: createPreviewer({ startConditions: startConditionsOf(database), checkStoreUrl, exits, maxQueued })(
      what,
      'me',
      maxUnfinished === undefined ? {} : { maxUnfinished },
      signal,
    ),
  };
}

test('describes the effect of a start, and starts nothing', async () => {
  const { requests, outcome } = preview({ 'a.mp4': respondWithSize(10 * MB), 'b.m4a': respondWithSize(2 * MB) });
  expect(await outcome).toEqual({
    jobId: 'one',
    status: 'queued',
    message: expect.any(String),
    inputs: [
      { ext: 'mp4', size: 10 * MB, sizeIsExact: true, duration: null, ranges: true },
      { ext: 'm4a', size: 2 * MB, sizeIsExact: true, duration: null, ranges: true },
    ],
    operation: { type: 'join_streams', video: 'copy', audio: 'copy' },
    result: { ext: 'mp4', size: 12 * MB, sizeText: '12.00 MB', sizeAtMost: 12 * MB, ttl: 3_600_000 },
    cost: { credits: 0 },
    unfinishedJobs: { now: 0, left: null },
    problems: [],
  });
  expect(requests.map(({ headers }) => headers?.values.range)).toEqual(['bytes=0-0', 'bytes=0-0']);
  expect(await database.query('select 1 from render_jobs')).toEqual([]);
});

test.each([
  ['https://bucket.example/film.mp4?signature=1', []],
  ['http://169.254.169.254/latest', ['address_refused']],
  ['http://localhost/film.mp4', ['address_refused']],
])('reports whether %s may be reached, and sends nothing to it', async (putUrl, codes) => {
  const what = job(['a.mp4'], { output: { ext: 'mp4', putUrl } });
  const { requests, outcome } = preview({ 'a.mp4': respondWithSize(MB) }, what);
  expect((await outcome).problems.map(({ code, input }) => [code, input])).toEqual(codes.map((code) => [code, null]));
  expect(requests.map(({ url }) => url)).toEqual(['https://cdn.example/a.mp4']);
});

describe('a previewed input', () => {
  test.each([
    ['a source without ranges', { headers: { 'content-length': '500' } }, { size: 500, ranges: false }],
    ['one that tells no size', {}, { size: null, ranges: false }],
    ['one that sends gzip', { headers: { 'content-encoding': 'gzip', 'content-length': '5' } }, { size: null }],
    ['an empty file', { status: 416 }, { size: null, ranges: false }],
  ])('reports the size %s', async (_, response, expected) => {
    const { inputs, problems } = await preview({ 'a.mp4': response }).outcome;
    expect(inputs).toEqual([expect.objectContaining(expected)]);
    expect(problems).toEqual([]);
  });

  const media = [
    '#EXTM3U',
    '#EXT-X-TARGETDURATION:10',
    '#EXTINF:10,',
    's1.ts',
    '#EXTINF:10,',
    's2.ts',
    '#EXT-X-ENDLIST',
  ];
  const variant = '#EXT-X-STREAM-INF:BANDWIDTH=9000000,AVERAGE-BANDWIDTH=8000000,CODECS="avc1.64001f,mp4a.40.2"';
  const master: SourceResponse = { body: ['#EXTM3U', variant, 'media.m3u8'].join('\n') };
  const convert = (ext: string) => job(['a.m3u8'], { operation: { type: 'convert_format' }, output: { ext } });

  const segments = { 's1.ts': respondWithSize(8 * MB), 's2.ts': respondWithSize(12 * MB) };
  const playlists = { 'a.m3u8': master, 'media.m3u8': { body: media.join('\n') }, ...segments };

  test('reports the duration of a playlist, and its size based on some segments', async () => {
    const { inputs, result } = await preview(playlists, convert('mp4')).outcome;
    expect(inputs).toEqual([{ ext: 'm3u8', size: 20 * MB, sizeIsExact: false, duration: 20, ranges: true }]);
    expect(result).toMatchObject({ size: 20 * MB });
  });

  test('estimates the size of a playlist by its bit rate if its segments have no size; reports no size without a bit rate', async () => {
    const silent = { ...playlists, 's2.ts': {} };
    const { inputs } = await preview(silent, convert('mp4')).outcome;
    expect(inputs).toEqual([expect.objectContaining({ size: 20 * MB, sizeIsExact: false })]);
    const alone = { ...silent, 'a.m3u8': playlists['media.m3u8'] };
    expect((await preview(alone, convert('mp4')).outcome).inputs).toEqual([expect.objectContaining({ size: null })]);
  });

  test('reports that a playlist whose segments no longer exist cannot be fetched', async () => {
    const { problems } = await preview({ ...playlists, 's1.ts': { status: 410 } }, convert('mp4')).outcome;
    expect(problems).toMatchObject([
      { code: 'source_refused', message: expect.stringContaining('A segment of input 1') },
    ]);
  });

  test('reports the exact size of a playlist of byte ranges of a file', async () => {
    const parts = media.join('\n').replaceAll('#EXTINF', '#EXT-X-BYTERANGE:1000@0\n#EXTINF');
    const { inputs } = await preview({ 'a.m3u8': { body: parts } }, convert('mp4')).outcome;
    expect(inputs).toEqual([expect.objectContaining({ size: 2_000, sizeIsExact: true })]);
  });

  test('reports how many bytes of a playlist a clip needs, which the size of the result follows', async () => {
    const clipped = { ...convert('mp4'), clip: { start: 12, end: 15 } };
    const { inputs, result } = await preview(playlists, clipped).outcome;
    expect(inputs).toMatchObject([{ size: 20 * MB, clipSize: 12 * MB, duration: 20 }]);
    expect(result).toMatchObject({ size: 12 * MB });
  });

  test('reports the size of a whole file for a clip if the file has no index', async () => {
    const clipped = job(['a.mp4', 'b.mp3'], { clip: { start: 12 } });
    const responses = { 'a.mp4': { ...respondWithSize(10 * MB), body: '-' }, 'b.mp3': respondWithSize(MB) };
    const { inputs } = await preview(responses, clipped).outcome;
    expect(inputs).toMatchObject([
      { size: 10 * MB, clipSize: 10 * MB },
      { size: MB, clipSize: MB },
    ]);
  });

  test('reports that a clip starts after the end of a playlist', async () => {
    const { problems } = await preview(playlists, { ...convert('mp4'), clip: { start: 20 } }).outcome;
    expect(problems).toMatchObject([{ code: 'clip_out_of_range', input: 0, retryable: false }]);
  });

  test('reports whether the container supports the codecs that a playlist declares', async () => {
    const { problems } = await preview(playlists, convert('webm')).outcome;
    expect(problems).toEqual([
      { code: 'incompatible_codecs', message: expect.stringContaining('h264 video'), retryable: false, input: 0 },
      { code: 'incompatible_codecs', message: expect.stringContaining('aac audio'), retryable: false, input: 0 },
    ]);
    expect((await preview(playlists, convert('m4a')).outcome).problems).toMatchObject([
      { code: 'incompatible_codecs' },
    ]);
  });
});

describe('preview problems', () => {
  test('contain the errors with which the inputs would fail', async () => {
    const unreachable = new MillraceError('connection_error', 'The connection to cdn.example failed.');
    const { outcome } = preview({ 'a.mp4': { status: 403 }, 'b.mp4': unreachable, 'c.mp4': respondWithSize(5) });
    expect(await outcome).toMatchObject({
      result: { size: null, sizeAtMost: null },
      problems: [
        { code: 'source_refused', input: 0, retryable: false },
        { code: 'connection_error', input: 1, retryable: true },
      ],
    });
  });

  test('contain exceeded limits of one input, and of all inputs together', async () => {
    const limits = { inputSize: { perInput: 10 * MB, total: 15 * MB } };
    const responses = { 'a.mp4': respondWithSize(11 * MB), 'b.mp4': respondWithSize(9 * MB) };
    const { problems } = await preview(responses, job(['a.mp4', 'b.mp4'], { limits })).outcome;
    expect(problems).toMatchObject([
      { code: 'input_too_large', input: 0 },
      { code: 'input_too_large', input: 1 },
    ]);
  });

  test('contain the limit of unfinished jobs, and a service at capacity', async () => {
    await jobs.start({ ...job(['a.mp4']), id: 'two' }, 'me');
    const responses = { 'a.mp4': respondWithSize(5) };
    const { unfinishedJobs, problems } = await preview(responses, undefined, { maxUnfinished: 1, maxQueued: 0 })
      .outcome;
    expect(unfinishedJobs).toEqual({ now: 1, left: 0 });
    expect(problems.map(({ code, input }) => [code, input])).toEqual([
      ['rate_limited', null],
      ['at_capacity', null],
    ]);
    expect((await preview(responses, undefined, { maxUnfinished: 5 }).outcome).unfinishedJobs).toEqual({
      now: 1,
      left: 4,
    });
  });

  test("do not include another owner's job with the same ID: the preview is rejected like the start", async () => {
    await jobs.start(job(['a.mp4']), 'somebody else');
    await expect(preview({ 'a.mp4': respondWithSize(5) }).outcome).rejects.toMatchObject({ code: 'forbidden' });
  });
});

test('reports attaching to an existing job, and restarting a failed one', async () => {
  await jobs.start(job(['a.mp4']), 'me');
  expect(await preview({ 'a.mp4': respondWithSize(5) }).outcome).toMatchObject({ status: 'already_exists' });
  await database.query(`update render_jobs set state = 'failed'`);
  expect(await preview({ 'a.mp4': respondWithSize(5) }).outcome).toMatchObject({
    status: 'queued',
    message: expect.stringContaining('restart'),
  });
});

test.each([
  ['a re-encoded file', { operation: { type: 'join_streams', copyStreams: false } }, null, null],
  ['extracted audio', { operation: { type: 'extract_audio' } }, null, 5],
  ['an unchanged file', { operation: { type: 'no_process' } }, 5, 5],
] as const)('estimates the result size of %s', async (_, more, size, sizeAtMost) => {
  const { result } = await preview({ 'a.mp4': respondWithSize(5) }, job(['a.mp4'], more)).outcome;
  expect(result).toMatchObject({ size, sizeAtMost });
});

describe('the outcome of a probe', () => {
  const representation = { repId: '137', kind: 'video', expiresAt: Date.now() + 3_600_000 } as const;
  const item = { platform: 'p1', endpoint: '/video/details', parameters: { videoId: 'a' }, content: 0, profile: 'x' };
  const facts = { consumer: 'preview', caller: { account: 'me', key: 'me' }, origin: item, exit: 'direct' };

  /** Previews a job whose inputs come from a platform, and returns the reported fetches. */
  async function reportsOf(
    responses: Readonly<Record<string, SourceResponse | MillraceError>>,
    { expiresAt = representation.expiresAt, hasOrigin = true } = {},
  ): Promise<readonly MediaFetch[]> {
    const reports: MediaFetch[] = [];
    const previewJob = createPreviewer({
      startConditions: startConditionsOf(database),
      checkStoreUrl,
      exits: exitsOf(responses).exits,
      maxQueued: 100,
      reportMediaFetch: (fetch) => reports.push(fetch),
    });
    const representations = [{ ...representation, expiresAt }];
    const files = Object.keys(responses).slice(0, 1);
    const origin = { ...item, representations };
    await previewJob({ ...job(files), exit: 'direct', ...(hasOrigin ? { origin } : {}) }, 'me', {}, signal);
    return reports;
  }

  test('is reported if the input comes from a platform', async () => {
    const arrived = [{ ...facts, outcome: 'arrived', bytes: 1 }];
    const refused = [{ ...facts, outcome: 'refused', status: 403, bytes: 0 }];
    const expired = [{ ...facts, outcome: 'expired', status: 403, bytes: 0 }];
    expect(await reportsOf({ 'a.mp4': respondWithSize(5) })).toEqual(arrived);
    expect(await reportsOf({ 'a.mp4': { status: 403 } })).toEqual(refused);
    expect(await reportsOf({ 'a.mp4': { status: 403 } }, { expiresAt: Date.now() - 1_000 })).toEqual(expired);
  });

  test.each([
    [true, 403, 0],
    [true, 503, 1],
    [false, 403, 1],
  ])('is a problem unless the job replaces the link: replaced %s, status %i', async (healsLinks, status, problems) => {
    const previewJob = createPreviewer({
      startConditions: startConditionsOf(database),
      checkStoreUrl,
      exits: exitsOf({ 'a.mp4': { status } }).exits,
      maxQueued: 100,
      reportMediaFetch: () => undefined,
      healsLinks,
    });
    const origin = { ...item, representations: [representation] };
    const preview = await previewJob({ ...job(['a.mp4']), exit: 'direct', origin }, 'me', {}, signal);
    expect(preview.problems).toHaveLength(problems);
    expect(preview.inputs).toMatchObject([{ size: null }]);
  });

  test('is reported once for a playlist and its segments', async () => {
    const playlist = [
      '#EXTM3U',
      '#EXT-X-TARGETDURATION:9',
      '#EXTINF:9,',
      's1.ts',
      '#EXTINF:9,',
      's2.ts',
      '#EXT-X-ENDLIST',
    ];
    const responses = {
      'a.m3u8': { body: playlist.join('\n') },
      's1.ts': respondWithSize(5),
      's2.ts': { status: 403 },
    };
    expect(await reportsOf(responses)).toMatchObject([{ outcome: 'refused', status: 403 }]);
  });

  test('is not reported if the source is unreachable, or the caller has described the job', async () => {
    const unreachable = new MillraceError('connection_error', 'The connection to cdn.example failed.');
    expect(await reportsOf({ 'a.mp4': unreachable })).toEqual([]);
    expect(await reportsOf({ 'a.mp4': { status: 503 } })).toEqual([]);
    expect(await reportsOf({ 'a.mp4': respondWithSize(5) }, { hasOrigin: false })).toEqual([]);
  });
});

test('limits the concurrent previews of a node, an account, and a key or visitor', async () => {
  const gate = Promise.withResolvers<void>();
  const { exits } = exitsOf({ 'a.mp4': respondWithSize(5) });
  const slow = {
    ...exits.forJobs,
    exchange: async (...call: Parameters<Exit['exchange']>) => {
      await gate.promise;
      return exits.forJobs.exchange(...call);
    },
  };
  const previewJob = createPreviewer({
    startConditions: startConditionsOf(database),
    checkStoreUrl,
    exits: { ...exits, forJobs: slow },
    maxQueued: 100,
  });
  const preview = (owner: string, visitor?: string) =>
    previewJob(
      job(['a.mp4']),
      owner,
      visitor === undefined ? {} : { visitor: { id: visitor, limits: { atOnce: 9, perDay: 9, storedSize: 1e9 } } },
      signal,
    );
  const active = Array.from({ length: 8 }, () => preview('me'));
  active.push(preview('page', 'a'), preview('page', 'a'));
  const refusal = { code: 'rate_limited', retryAfter: 1 };
  await expect(preview('me')).rejects.toMatchObject(refusal);
  await expect(preview('page', 'a')).rejects.toMatchObject(refusal);
  for (const visitor of ['b', 'c', 'd']) active.push(preview('page', visitor), preview('page', visitor));
  await expect(preview('page', 'e')).rejects.toMatchObject(refusal);
  await expect(preview('another')).rejects.toMatchObject(refusal);
  gate.resolve();
  expect(await Promise.all(active)).toHaveLength(16);
  expect(await preview('me')).toMatchObject({ problems: [] });
});

test('ends a preview when the caller disconnects', async () => {
  const disconnected = new Error('The caller has left.');
  const { exits } = exitsOf({ 'a.mp4': respondWithSize(5) });
  const previewJob = createPreviewer({
    startConditions: startConditionsOf(database),
    checkStoreUrl,
    exits,
    maxQueued: 100,
  });
  await expect(previewJob(job(['a.mp4']), 'me', {}, AbortSignal.abort(disconnected))).rejects.toBe(disconnected);
});
