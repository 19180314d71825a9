import { request } from 'node:http';
import { describe, expect, inject, test } from 'vitest';
import { describeJob, fetchJson, outcome, post, type StartedJob } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { keys } from '../support/processes.ts';

const service = inject('serviceUrl');
const execute = `${service}/api/v1/render/execute`;
const cache = `${service}/api/v1/render/cache`;

interface ErrorAnswer {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly statusCode: number;
    readonly fields?: readonly { readonly path: string; readonly message: string }[];
  };
}

interface StoredJob {
  readonly cacheId: string;
  readonly executionUrl: string;
  readonly statusUrl: string;
  readonly expiresAt: string;
}

const clip = () => ({ url: labFile('/media/amber-2/movie-360.mp4').url, ext: 'mp4' });
const job = (more: Record<string, unknown> = {}) => describeJob('convert_format', [clip()], 'mp4', more);

describe('POST /api/v1/render/execute', () => {
  test('returns 202 with links for a new job', async () => {
    const description = job();
    const { status, body } = await post<StartedJob>(execute, description);
    expect(status).toBe(202);
    expect(body).toEqual({
      jobId: description.id,
      status: 'queued',
      message: expect.any(String),
      statusUrl: expect.stringMatching(/^wss?:\/\//),
      sseStatusUrl: expect.stringMatching(/^https?:\/\//),
    });
    expect((await outcome(body.sseStatusUrl)).status).toBe('done');
  });

  test('accepts extensions in any case with a leading dot, and an empty downloadName', async () => {
    const inputs = [{ ...clip(), ext: '.MP4' }];
    const { status, body } = await post<StartedJob>(execute, job({ inputs, output: { ext: 'MP4', downloadName: '' } }));
    expect(status).toBe(202);
    const { output } = await outcome(body.sseStatusUrl);
    expect(output?.url).toMatch(/\.mp4$/);
  });

  test('returns 200 already_exists for a running or finished job, and renders nothing again', async () => {
    const { url } = labFile('/media/amber-2/movie-360.mp4', { latency: 700 });
    const description = describeJob('convert_format', [{ url, ext: 'mp4' }], 'mp4');
    await post(execute, description);
    const running = await post<StartedJob>(execute, description);
    expect([running.status, running.body.status]).toEqual([200, 'already_exists']);
    const first = await outcome(running.body.sseStatusUrl);
    const done = await post<StartedJob>(execute, description);
    expect([done.status, done.body.status]).toEqual([200, 'already_exists']);
    const second = await outcome(done.body.sseStatusUrl);
    expect(second.output).toEqual(first.output);
    expect(second.created_at).toBe(first.created_at);
  });

  test('keeps the request ID with the job, also when another request attaches to it', async () => {
    const description = job();
    const started = await post<StartedJob>(execute, description, keys.render, { 'x-request-id': 'first-request' });
    await post(execute, description, keys.render, { 'x-request-id': 'second-request' });
    const status = await fetchJson<{ request_id: string }>(`${service}/api/v1/render/jobs/${description.id}`);
    expect(status.body.request_id).toBe('first-request');
    expect(await outcome(started.body.sseStatusUrl)).toMatchObject({ status: 'done', request_id: 'first-request' });
  });

  test('extends the expiry of a finished job when the new ttl ends later', async () => {
    const description = job({ ttl: 180_000 });
    const { body } = await post<StartedJob>(execute, description);
    const before = await outcome(body.sseStatusUrl);
    expect(Date.parse(before.expires_at) - Date.now()).toBeLessThanOrEqual(180_000);
    await post(execute, { ...description, ttl: 3_600_000 });
    const after = await outcome(body.sseStatusUrl);
    expect(Date.parse(after.expires_at) - Date.now()).toBeGreaterThan(3_500_000);
    await post(execute, { ...description, ttl: 180_000 });
    expect((await outcome(body.sseStatusUrl)).expires_at).toBe(after.expires_at);
  });

  test('returns 202 for a failed job, and starts it from scratch with the new description', async () => {
    const description = job();
    const missingFile = {
      ...description,
      inputs: [{ url: labFile('/media/amber-2/movie-360.mp4', { status: 410 }).url, ext: 'mp4' }],
    };
    const { body } = await post<StartedJob>(execute, missingFile);
    expect((await outcome(body.sseStatusUrl)).status).toBe('failed');
    expect((await post(execute, description)).status).toBe(202);
    expect((await outcome(body.sseStatusUrl)).status).toBe('done');
  });

  test('makes one job from many concurrent starts of one ID', async () => {
    const description = job();
    const responses = await Promise.all(Array.from({ length: 12 }, () => post<StartedJob>(execute, description)));
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(11).fill(200), 202]);
  });

  test('returns 401 without a key, with a wrong one, and with one of the extraction API', async () => {
    for (const key of [undefined, 'wrong', keys.MEGA]) {
      const response = await fetch(execute, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify(job()),
      });
      expect(response.status).toBe(401);
      expect(((await response.json()) as ErrorAnswer).error).toMatchObject({ code: 'unauthorized', statusCode: 401 });
    }
  });

  test("returns 403 for another owner's ID, however it is started", async () => {
    const description = job();
    await post(execute, description);
    const { status, body } = await post<ErrorAnswer>(execute, description, keys.otherRender);
    expect([status, body.error.code]).toEqual([403, 'forbidden']);
    const stored = await post<StoredJob>(cache, description, keys.otherRender);
    const byCache = await fetchJson<ErrorAnswer>(stored.body.executionUrl);
    expect([byCache.status, byCache.body.error.code]).toEqual([403, 'forbidden']);
  });

  test('keeps a job for an hour after its end by default', async () => {
    const { body } = await post<StartedJob>(execute, job());
    const { expires_at } = await outcome(body.sseStatusUrl);
    const lifetime = Date.parse(expires_at) - Date.now();
    expect(lifetime).toBeGreaterThan(3_600_000 - 60_000);
    expect(lifetime).toBeLessThanOrEqual(3_600_000);
  });

  test.each<[string, (valid: ReturnType<typeof job>) => unknown]>([
    ['an ID of 128 characters of every kind', (valid) => ({ ...valid, id: valid.id.padEnd(128, 'Az09._:-') })],
    ['the longest ttl', (valid) => ({ ...valid, ttl: 86_400_000 })],
    ['the shortest times', (valid) => ({ ...valid, ttl: 180_000, inputs: [{ ...clip(), timeout: 1_000 }] })],
    ['the longest timeout', (valid) => ({ ...valid, timeout: 600_000 })],
    ['the smallest chunks', (valid) => ({ ...valid, chunkDownload: { size: 262_144, concurrency: 1 } })],
    ['the largest chunks', (valid) => ({ ...valid, chunkDownload: { size: 67_108_864, concurrency: 10 } })],
    ['the fewest concurrent segments', (valid) => ({ ...valid, HLSPlaylistDownload: { concurrency: 1 } })],
    ['the most concurrent segments', (valid) => ({ ...valid, HLSPlaylistDownload: { concurrency: 16 } })],
    [
      'the largest limits',
      (valid) => ({ ...valid, limits: { inputSize: { perInput: 5_000_000_000, total: 5_000_000_000 } } }),
    ],
    [
      'empty options',
      (valid) => ({ ...valid, chunkDownload: {}, HLSPlaylistDownload: {}, requestOptions: {}, limits: {} }),
    ],
  ])('returns 202 for %s', async (_name, change) => {
    expect((await post(execute, change(job()))).status).toBe(202);
  });
});

describe('an invalid body returns 400 with every wrong member', () => {
  const wrong: [string, string, (valid: ReturnType<typeof job>) => unknown][] = [
    ['a missing ID', 'id', ({ id: _, ...rest }) => rest],
    ['an ID with a slash', 'id', (valid) => ({ ...valid, id: '../../etc' })],
    ['an ID of 129 characters', 'id', (valid) => ({ ...valid, id: 'a'.repeat(129) })],
    ['an ID of 4 KB', 'id', (valid) => ({ ...valid, id: 'é'.repeat(2048) })],
    ['an empty ID', 'id', (valid) => ({ ...valid, id: '' })],
    ['an ID with a control character', 'id', (valid) => ({ ...valid, id: 'a\u0000b' })],
    ['an ID with right-to-left text', 'id', (valid) => ({ ...valid, id: 'a\u202Eb' })],
    ['a numeric ID', 'id', (valid) => ({ ...valid, id: 7 })],
    ['missing inputs', 'inputs', (valid) => ({ ...valid, inputs: [] })],
    ['too few inputs', 'inputs', (valid) => ({ ...valid, operation: { type: 'replace_audio_in_video' } })],
    ['too many inputs', 'inputs', (valid) => ({ ...valid, inputs: [clip(), clip()] })],
    [
      '65 inputs to join',
      'inputs',
      (valid) => ({ ...valid, operation: { type: 'join_streams' }, inputs: Array.from({ length: 65 }, clip) }),
    ],
    ['a missing url', 'inputs.0.url', (valid) => ({ ...valid, inputs: [{ ext: 'mp4' }] })],
    ['a file url', 'inputs.0.url', (valid) => ({ ...valid, inputs: [{ url: 'file:///etc/passwd', ext: 'mp4' }] })],
    ['a missing ext', 'inputs.0.ext', (valid) => ({ ...valid, inputs: [{ url: clip().url }] })],
    ['an ext with a path', 'inputs.0.ext', (valid) => ({ ...valid, inputs: [{ ...clip(), ext: '../a' }] })],
    ['a missing output', 'output', ({ output: _, ...rest }) => rest],
    ['an ext with two dots', 'output.ext', (valid) => ({ ...valid, output: { ext: '..mp4' } })],
    ['an output ext with a path', 'output.ext', (valid) => ({ ...valid, output: { ext: 'mp4/../../a' } })],
    ['a missing operation', 'operation', ({ operation: _, ...rest }) => rest],
    [
      'copyStreams as text',
      'operation.copyStreams',
      (valid) => ({ ...valid, operation: { type: 'convert_format', copyStreams: 'true' } }),
    ],
    ['an unknown member', 'colour', (valid) => ({ ...valid, colour: 'red' })],
    ['an unknown member of an input', 'inputs.0.path', (valid) => ({ ...valid, inputs: [{ ...clip(), path: 'a' }] })],
    ['an unknown operation', 'operation.type', (valid) => ({ ...valid, operation: { type: 'explode' } })],
    ['an unknown container', 'output.ext', (valid) => ({ ...valid, output: { ext: 'exe' } })],
    ['a ttl under 3 minutes', 'ttl', (valid) => ({ ...valid, ttl: 179_999 })],
    ['a ttl over 24 hours', 'ttl', (valid) => ({ ...valid, ttl: 86_400_001 })],
    ['a ttl as text', 'ttl', (valid) => ({ ...valid, ttl: '200000' })],
    ['a timeout under 1 second', 'timeout', (valid) => ({ ...valid, timeout: 999 })],
    ['a timeout over 10 minutes', 'timeout', (valid) => ({ ...valid, timeout: 600_001 })],
    [
      'a chunk concurrency of 11',
      'chunkDownload.concurrency',
      (valid) => ({ ...valid, chunkDownload: { concurrency: 11 } }),
    ],
    [
      'a chunk concurrency of 0',
      'chunkDownload.concurrency',
      (valid) => ({ ...valid, chunkDownload: { concurrency: 0 } }),
    ],
    ['chunks under 256 KiB', 'chunkDownload.size', (valid) => ({ ...valid, chunkDownload: { size: 262_143 } })],
    ['chunks over 64 MiB', 'chunkDownload.size', (valid) => ({ ...valid, chunkDownload: { size: 67_108_865 } })],
    ['an unknown range type', 'chunkDownload.type', (valid) => ({ ...valid, chunkDownload: { type: 'magic' } })],
    [
      'an HLS concurrency of 0',
      'HLSPlaylistDownload.concurrency',
      (valid) => ({ ...valid, HLSPlaylistDownload: { concurrency: 0 } }),
    ],
    [
      'an HLS concurrency of 17',
      'HLSPlaylistDownload.concurrency',
      (valid) => ({ ...valid, HLSPlaylistDownload: { concurrency: 17 } }),
    ],
    [
      'a total limit over 5 GB',
      'limits.inputSize.total',
      (valid) => ({ ...valid, limits: { inputSize: { total: 5_000_000_001 } } }),
    ],
    ['a limit of zero', 'limits.inputSize.perInput', (valid) => ({ ...valid, limits: { inputSize: { perInput: 0 } } })],
    [
      'a limit over 5 GB',
      'limits.inputSize.perInput',
      (valid) => ({ ...valid, limits: { inputSize: { perInput: 5_000_000_001 } } }),
    ],
    [
      'brackets with a gap',
      'progressBrackets',
      (valid) => ({
        ...valid,
        progressBrackets: { downloading_inputs: [0, 40], processing: [50, 60], uploading_output: [60, 100] },
      }),
    ],
    [
      'descending brackets',
      'progressBrackets',
      (valid) => ({
        ...valid,
        progressBrackets: { downloading_inputs: [60, 0], processing: [0, 60], uploading_output: [60, 100] },
      }),
    ],
    [
      'brackets over 100',
      'progressBrackets.uploading_output.1',
      (valid) => ({
        ...valid,
        progressBrackets: { downloading_inputs: [0, 50], processing: [50, 60], uploading_output: [60, 101] },
      }),
    ],
    [
      'brackets of two stages that overlap',
      'progressBrackets',
      (valid) => ({ ...valid, progressBrackets: { downloading_inputs: [0, 60], uploading_output: [50, 100] } }),
    ],
    ['an unknown method', 'requestOptions.method', (valid) => ({ ...valid, requestOptions: { method: 'DELETE' } })],
    ['a GET with a body', 'requestOptions.body', (valid) => ({ ...valid, requestOptions: { body: 'a=1' } })],
    [
      'a header with a line break',
      'requestOptions.headers.x-a',
      (valid) => ({ ...valid, requestOptions: { headers: { 'x-a': '1\r\nx-b: 2' } } }),
    ],
    [
      'video into mp3',
      'output.ext',
      (valid) => ({ ...valid, operation: { type: 'extract_video' }, output: { ext: 'mp3' } }),
    ],
    [
      'a playlist stored unchanged',
      'inputs.0.ext',
      (valid) => ({ ...valid, operation: { type: 'no_process' }, inputs: [{ ...clip(), ext: 'm3u8' }] }),
    ],
  ];
  test.each(wrong)('for %s', async (_name, path, spoil) => {
    const { status, body } = await post<ErrorAnswer>(execute, spoil(job()));
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'invalid_body', statusCode: 400 });
    expect(body.error.fields?.map((field) => field.path)).toContain(path);
  });

  test.each([
    ['broken JSON', '{"id": '],
    ['a list', '[]'],
    ['null', 'null'],
    ['a prototype', '{"__proto__": {"id": "a"}}'],
  ])('for the text of %s', async (_name, text) => {
    const { status, body } = await post<ErrorAnswer>(execute, text);
    expect([status, body.error.code]).toEqual([400, 'invalid_body']);
  });

  test('returns 413 for a body larger than 256 KiB', async () => {
    const { status, body } = await post<ErrorAnswer>(execute, { ...job(), id: 'a'.repeat(300_000) });
    expect([status, body.error.code]).toEqual([413, 'body_too_large']);
  });

  test('says how to shorten a job of ten thousand chapters', async () => {
    const chapters = Array.from({ length: 10_000 }, (_, start) => ({ start, title: `Chapter ${start}` }));
    const { output, ...others } = job();
    const { status, body } = await post<ErrorAnswer>(execute, { ...others, output: { ...output, chapters } });
    expect([status, body.error.code]).toEqual([413, 'body_too_large']);
    expect(body.error.message).toMatch(/256 KiB\..*at most 1,000 chapters/);
  });

  test('returns 415 for a content type other than JSON', async () => {
    const response = await fetch(execute, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.render}` },
      body: 'a=b',
    });
    expect(response.status).toBe(415);
    expect(((await response.json()) as ErrorAnswer).error.code).toBe('invalid_body');
  });
});

describe('POST /api/v1/render/cache', () => {
  test('stores a description that anyone with its URL can start, repeatedly', async () => {
    const description = job();
    const { status, body } = await post<StoredJob>(cache, description);
    expect(status).toBe(201);
    expect(body.executionUrl).toContain(`/api/v1/render/execute/${body.cacheId}`);
    expect(body.statusUrl).toMatch(/^wss?:\/\//);
    // The URL is valid for as long as the ttl of its job, which is an hour here.
    expect(Math.abs(Date.parse(body.expiresAt) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    expect(Buffer.from(body.cacheId, 'base64url').length).toBeGreaterThanOrEqual(16);

    const started = await fetchJson<StartedJob>(body.executionUrl);
    expect([started.status, started.body.jobId]).toEqual([202, description.id]);
    expect((await outcome(started.body.sseStatusUrl)).status).toBe('done');
    expect((await fetchJson<StartedJob>(body.executionUrl)).body.status).toBe('already_exists');
  });

  test('starts no job', async () => {
    const description = job();
    await post<StoredJob>(cache, description);
    const event = await outcome(`${service}/api/v1/render/status/sse/${description.id}`);
    expect(event.status).toBe('not_found');
  });

  test('returns 400 and 401 like the direct call', async () => {
    expect((await post(cache, { ...job(), ttl: 1 })).status).toBe(400);
    expect((await post(cache, job(), 'wrong')).status).toBe(401);
  });

  test('returns 404 for an ID that was never stored', async () => {
    for (const id of ['AAAAAAAAAAAAAAAAAAAAAA', '%00', '..%2f..', 'a'.repeat(1000)]) {
      const { status, body } = await fetchJson<ErrorAnswer>(`${service}/api/v1/render/execute/${id}`);
      expect([status, body.error.code]).toEqual([404, 'not_found']);
    }
  });

  test('HEAD starts no job', async () => {
    const description = job();
    const { body } = await post<StoredJob>(cache, description);
    expect((await fetch(body.executionUrl, { method: 'HEAD' })).status).toBe(200);
    expect((await outcome(`${service}/api/v1/render/status/sse/${description.id}`)).status).toBe('not_found');
  });
});

test('an overlong URL returns 414, and an oversized head does not break the service', async () => {
  const { status, body } = await fetchJson<ErrorAnswer>(`${service}/api/v1/render/execute?order=${'a'.repeat(9_000)}`);
  expect([status, body.error.statusCode]).toEqual([414, 414]);
  const huge = await new Promise<number>((resolve) => {
    const call = request(`${service}/health`, { headers: { 'x-a': 'a'.repeat(100_000) } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.on('error', () => resolve(0));
    call.end();
  });
  expect([0, 431]).toContain(huge);
  await expect.poll(async () => (await fetch(`${service}/health`)).status).toBe(200);
});

test('a forged or altered execution URL returns 403', async () => {
  for (const order of ['', 'AAAA', 'A'.repeat(400), '%00', 'é']) {
    const { status, body } = await fetchJson<ErrorAnswer>(
      `${service}/api/v1/render/execute?order=${encodeURIComponent(order)}`,
    );
    expect([status, body.error.code]).toEqual([403, 'invalid_url']);
  }
});
