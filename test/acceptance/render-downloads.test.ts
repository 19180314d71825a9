import { describe, expect, inject, test } from 'vitest';
import { describeJob, render, run } from '../support/http-client.ts';
import { labFile, requestsWithToken } from '../support/lab-client.ts';
import { inspect } from '../support/media.ts';

const service = inject('serviceUrl');
const lab = inject('labUrl');

/** About 4 MB, so that it is downloaded in several chunks. */
const largeFile = '/media/giant-10/movie-360.mp4';

async function renderFile(
  path: string,
  faults: Record<string, string | number> = {},
  more: Record<string, unknown> = {},
) {
  const { url, token } = labFile(path, faults);
  const ext = path.split('.').at(-1) ?? '';
  const { file } = await render(service, describeJob('convert_format', [{ url, ext, ...more }], 'mp4'));
  return { file, requests: await requestsWithToken(lab, token) };
}

async function failure(path: string, faults: Record<string, string | number>, more: Record<string, unknown> = {}) {
  const ext = path.split('.').at(-1) ?? '';
  const event = await run(
    service,
    describeJob('convert_format', [{ url: labFile(path, faults).url, ext, ...more }], 'mp4'),
  );
  expect(event).toMatchObject({ status: 'failed', output: null, error: expect.any(String) });
  return event.error;
}

const durationOf = async (file: Buffer) => (await inspect(file)).duration;

describe('a file is downloaded', () => {
  test('in parallel ranges', async () => {
    const { file, requests } = await renderFile(largeFile, {}, { chunkDownload: { size: 262_144, concurrency: 8 } });
    expect(await durationOf(file)).toBeCloseTo(10, 0);
    expect(requests.length).toBeGreaterThan(4);
    expect(requests.every(({ range }) => range?.startsWith('bytes='))).toBe(true);
  });

  test('in parallel ranges in the query', async () => {
    const { file, requests } = await renderFile(largeFile, {}, { chunkDownload: { size: 262_144, type: 'query' } });
    expect(await durationOf(file)).toBeCloseTo(10, 0);
    expect(requests.filter(({ path }) => /[?&]range=\d+-\d+/.test(path)).length).toBeGreaterThan(3);
  });

  test('whole from a source without ranges', async () => {
    const { file, requests } = await renderFile(largeFile, { noRanges: 1 });
    expect(await durationOf(file)).toBeCloseTo(10, 0);
    expect(requests).toHaveLength(1);
  });

  test('from the byte at which the connection broke', async () => {
    const { file, requests } = await renderFile(largeFile, { cutOnce: 200_000 }, { chunkDownload: { concurrency: 1 } });
    expect(await durationOf(file)).toBeCloseTo(10, 0);
    expect(requests.map(({ range }) => range)).toContain('bytes=200000-1048575');
  });

  test('again from the start when the connection to a source without ranges broke', async () => {
    const { file } = await renderFile(largeFile, { noRanges: 1, cutOnce: 200_000 });
    expect(await durationOf(file)).toBeCloseTo(10, 0);
  });

  test('after a few server errors', async () => {
    const { file, requests } = await renderFile('/media/amber-2/movie-360.mp4', { status: 503, times: 2 });
    expect(await durationOf(file)).toBeCloseTo(2, 0);
    expect(requests).toHaveLength(3);
  });

  test('through redirects', async () => {
    const { file } = await renderFile('/media/amber-2/movie-360.mp4', { redirect: 3 });
    expect(await durationOf(file)).toBeCloseTo(2, 0);
  });

  test('with the requested method and body', async () => {
    const requestOptions = { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: 'which=this' };
    const { file, requests } = await renderFile('/media/amber-2/movie-360.mp4', {}, { requestOptions });
    expect(await durationOf(file)).toBeCloseTo(2, 0);
    for (const request of requests) {
      expect(request).toMatchObject({ method: 'POST', body: 'which=this', headers: { 'content-type': 'text/plain' } });
    }
  });

  test('with the settings of the job, which those of an input override', async () => {
    const [first, second] = [labFile('/media/amber-2/video-360.mp4'), labFile('/media/birch-2/audio.mp4')];
    const inputs = [
      { url: first.url, ext: 'mp4' },
      { url: second.url, ext: 'mp4', requestOptions: { headers: { Referer: 'https://input.example/' } } },
    ];
    const requestOptions = { headers: { Referer: 'https://job.example/' } };
    await render(service, describeJob('join_streams', inputs, 'mp4', { requestOptions }));
    const requests = await Promise.all([first, second].map(({ token }) => requestsWithToken(lab, token)));
    expect(requests.map((requests) => new Set(requests.map(({ headers }) => headers.referer)))).toEqual([
      new Set(['https://job.example/']),
      new Set(['https://input.example/']),
    ]);
  });

  test('with the requested headers', async () => {
    const headers = { Referer: 'https://www.example.com/', Cookie: 'session=1', 'User-Agent': 'Test/1.0' };
    const { requests } = await renderFile('/media/amber-2/movie-360.mp4', {}, { requestOptions: { headers } });
    expect(requests[0]?.headers).toMatchObject({
      referer: 'https://www.example.com/',
      cookie: 'session=1',
      'user-agent': 'Test/1.0',
    });
  });

  test('without its cookies after a redirect to another host', async () => {
    const requestOptions = { headers: { Cookie: 'session=1', Authorization: 'Bearer a' } };
    const faults = { redirect: 1, redirectHost: 'other.lab.example' };
    const { url, token } = labFile('/media/amber-2/movie-360.mp4', faults);
    await run(service, describeJob('convert_format', [{ url, ext: 'mp4', requestOptions }], 'mp4'));
    const [first, second] = await requestsWithToken(lab, token);
    expect(first?.headers.cookie).toBe('session=1');
    expect(second?.host).toContain('other.lab.example');
    expect(second?.headers).not.toHaveProperty('cookie');
    expect(second?.headers).not.toHaveProperty('authorization');
  });
});

describe('DASH files are joined', () => {
  const parts = ['/media/giant-30/video-1080.mp4', '/media/giant-30/audio.mp4'];

  async function renderMerged(faults: Record<string, string | number> = {}) {
    const files = parts.map((path) => labFile(path, faults));
    const { file } = await render(
      service,
      describeJob(
        'join_streams',
        files.map(({ url }) => ({ url, ext: 'mp4' })),
        'mp4',
      ),
    );
    const requests = await Promise.all(files.map(({ token }) => requestsWithToken(lab, token)));
    return { file, bytes: requests.flat().reduce((sum, { bytesSent }) => sum + bytesSent, 0) };
  }

  async function originals() {
    const responses = await Promise.all(parts.map(async (path) => (await fetch(`${lab}${path}`)).arrayBuffer()));
    return responses.map((bytes) => Buffer.from(bytes));
  }

  test.each<[string, Record<string, string | number>]>([
    ['from a correct source', {}],
    ['over breaking connections', { cutOnce: 3_000_000 }],
    ['from a source without ranges', { noRanges: 1 }],
  ])('without losing a packet or fetching a byte twice, %s', async (_name, faults) => {
    // The lab makes them at their first request.
    const sources = await originals();
    const { file, bytes } = await renderMerged(faults);
    const contents = await Promise.all(sources.map(inspect));
    const expected = contents.flatMap(({ tracks }) => tracks.map(({ kind, codec, packets }) => [kind, codec, packets]));
    const { tracks, duration } = await inspect(file);
    expect(tracks.map(({ kind, codec, packets }) => [kind, codec, packets])).toEqual(expected);
    expect(duration).toBeCloseTo(30, 0);
    const size = sources.reduce((sum, source) => sum + source.length, 0);
    if (!('noRanges' in faults)) expect(bytes).toBeLessThan(size * 1.1);
  });

  test('with the index first, so that they play while downloading', async () => {
    const { file } = await renderMerged();
    expect(file.indexOf('moov')).toBeLessThan(file.indexOf('mdat'));
  });
});

describe('an HLS playlist is downloaded', () => {
  test('by several segments concurrently', async () => {
    const { file } = await renderFile('/hls/amber-30/360/index.m3u8', {}, { HLSPlaylistDownload: { concurrency: 3 } });
    expect(await durationOf(file)).toBeCloseTo(30, 0);
  });

  test('in the best quality of a master playlist', async () => {
    const { file } = await renderFile('/hls/amber-30/master.m3u8');
    expect(await durationOf(file)).toBeCloseTo(30, 0);
  });

  test('to the end after the connection broke within a segment', async () => {
    const { file } = await renderFile('/hls/amber-30/360/index.m3u8', { 'segment.cutOnce': 5_000 });
    expect(await durationOf(file)).toBeCloseTo(30, 0);
  });
});

describe('a job fails with a readable reason', () => {
  test.each([403, 404, 410])('when the source returns %i', async (status) => {
    expect(await failure('/media/amber-2/movie-360.mp4', { status })).toMatch(
      new RegExp(`${status}.*new source links`),
    );
  });

  test('when the source refuses requests from a certain byte on', async () => {
    expect(await failure(largeFile, { denyFrom: 2_000_000 })).toContain('403');
  });

  test('when the source refuses requests from a certain time on', async () => {
    const slow = { denyAfter: 300, deny: 410, throttle: 1_000_000 };
    expect(await failure(largeFile, slow, { chunkDownload: { size: 262_144, concurrency: 1 } })).toContain('410');
  });

  test('when the connection always breaks at the same byte', async () => {
    expect(await failure(largeFile, { cut: 200_000 })).toMatch(/incomplete.*200000/);
  });

  test('when the source announces more than it sends', async () => {
    expect(await failure(largeFile, { length: 5_000, noRanges: 1 })).toMatch(/incomplete/);
  });

  test('when the source announces less than it sends, instead of storing a short file', async () => {
    expect(await failure(largeFile, { length: -500_000, noRanges: 1 })).toMatch(/Input 1/);
  });

  test('when an input is larger than its limit', async () => {
    const { url } = labFile(largeFile);
    const limits = { inputSize: { perInput: 1_000_000 } };
    const event = await run(service, describeJob('convert_format', [{ url, ext: 'mp4' }], 'mp4', { limits }));
    expect(event.error).toMatch(/too large.*1\.00 MB/);
  });

  test('when all inputs together are larger than the limit', async () => {
    const input = { url: labFile('/media/amber-30/video-720.mp4').url, ext: 'mp4' };
    const limits = { inputSize: { total: 150_000 } };
    const event = await run(service, describeJob('join_streams', [input, input], 'mp4', { limits }));
    expect(event.error).toMatch(/too large/);
  });

  test('when the source is slower than the timeout of the input', async () => {
    expect(await failure(largeFile, { throttle: 1_000 }, { timeout: 1_500 })).toMatch(/timeout of 1.5 s/);
  });

  test('when the source never responds', async () => {
    expect(await failure(largeFile, { hang: 1 }, { timeout: 1_500 })).toMatch(/timeout/);
  });

  test('when the source stops sending in the middle', async () => {
    expect(await failure(largeFile, { stall: 300_000 }, { timeout: 2_000 })).toMatch(/timeout/);
  });

  test('when a segment is missing, and names it', async () => {
    expect(await failure('/hls/amber-30/360/index.m3u8', { 'segment.status': 404, 'segment.only': 3 })).toMatch(
      /Segment 3.*404/,
    );
  });

  test('when the playlist is of a live stream, and names the input', async () => {
    const movie = { url: labFile('/media/amber-2/movie-360.mp4').url, ext: 'mp4' };
    const live = { url: labFile('/hls/amber-30/360/index.m3u8', { live: 1 }).url, ext: 'm3u8' };
    for (const [inputs, number] of [
      [[live, movie], 1],
      [[movie, live], 2],
    ] as const) {
      const { status, error } = await run(service, describeJob('join_streams', inputs, 'mp4'));
      expect([status, error]).toEqual([
        'failed',
        `Input ${number} is a live stream that has not ended. Start the job again after it ends.`,
      ]);
    }
  });

  test('while a live stream is running, and succeeds when started again after its end', async () => {
    const { url } = labFile('/hls/amber-12/360/index.m3u8', { liveEnd: 3 });
    const job = describeJob('convert_format', [{ url, ext: 'm3u8' }], 'mp4');
    expect(await run(service, job)).toMatchObject({
      status: 'failed',
      error: 'Input 1 is a live stream that has not ended. Start the job again after it ends.',
    });
    expect(await durationOf((await render(service, job)).file)).toBeCloseTo(12, 0);
  });

  test('when redirects never end', async () => {
    expect(await failure(largeFile, { redirect: 30 })).toMatch(/redirected/);
  });

  test('when the host does not exist', async () => {
    const job = describeJob('convert_format', [{ url: 'https://cdn.lab.example/nothing/here.mp4', ext: 'mp4' }], 'mp4');
    expect((await run(service, job)).error).toContain('404');
  });
});
