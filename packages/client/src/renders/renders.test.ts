import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cancelledError } from '../../../../src/contract/shared-constants.ts';
import { type MillraceClientError, MillraceNetworkError, MillraceRenderError } from '../errors.ts';
import { advanceTime } from '../testing/advance-time.ts';
import {
  createBody,
  createTestClient,
  errorResponse,
  jsonResponse,
  type RequestHandler,
} from '../testing/test-client.ts';
import { advisedRestarts } from './finish.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

const output = { url: 'https://files.example/files/k/a.mp4', size: 10, sizeText: '10.00 B', key: 'k', notes: [] };

const event = (status: string, progress: number, more: object = {}) => ({
  job_id: 'job-1',
  status,
  progress,
  output: null,
  ...{ error: null, error_code: null, retryable: null, input: null },
  created_at: '2026-11-21T00:00:00.000Z',
  expires_at: '2026-11-21T01:00:00.000Z',
  ...more,
});

const doneEvent = event('done', 100, { output });
const failure = (error: string, error_code: string, retryable: boolean, input: number | null = null) =>
  event('failed', 30, { error, error_code, retryable, input });
const failedEvent = failure('The source answered 503.', 'source_unreachable', true, 0);
const refusedSource = failure('The source answered 404.', 'source_refused', false, 1);
const noJob = { error: 'No job has this ID.', error_code: 'not_found', retryable: false, input: null };
const notFound = { id: 'job-1', status: 'not_found', ...noJob };
const line = (data: object) => `data: ${JSON.stringify(data)}\n\n`;

const startResponse = (status = 'queued') => ({
  jobId: 'job-1',
  status,
  message: 'Queued.',
  statusUrl: 'wss://render.example/api/v1/render/status/job-1',
  sseStatusUrl: 'https://render.example/api/v1/render/status/sse/job-1',
});

const job = {
  inputs: [{ url: 'https://a.example/a.mp4', ext: 'mp4' }],
  output: { ext: 'mp4' },
  operation: { type: 'convert_format' as const },
};

/** Responds to start calls, and to each status stream request with the next of these streams. */
function serveStreams(...streams: readonly ((signal?: AbortSignal) => Response)[]): RequestHandler {
  const remainingStreams = [...streams];
  return ({ url, signal }) => {
    if (!url.pathname.includes('/sse/')) return jsonResponse(startResponse(), 202);
    return remainingStreams.shift()?.(signal) ?? errorResponse(503, 'service_unavailable');
  };
}

const stream =
  (events: readonly object[], end: 'ends' | 'breaks' | 'silent' = 'ends') =>
  (signal?: AbortSignal) =>
    new Response(createBody(events.map(line), end, signal));

/** Collects the items of a list through all pauses, with the error that ends it. */
async function collect<Item>(list: AsyncIterable<Item>): Promise<{ items: Item[]; error: unknown }> {
  const items: Item[] = [];
  const work = (async () => {
    for await (const item of list) items.push(item);
  })().catch((error: unknown) => error);
  await advanceTime();
  return { items, error: await work };
}

async function settle<Value>(promise: Promise<Value>): Promise<Value | unknown> {
  const result = promise.catch((error: unknown) => error);
  await advanceTime();
  return result;
}

describe('starting a render', () => {
  it.each([
    ['an execution URL', 'https://render.example/x?order=abc'],
    ['a render config', { executionUrl: 'https://render.example/x?order=abc' }],
    ['a renderable item', { label: '720p', renderConfig: { executionUrl: 'https://render.example/x?order=abc' } }],
  ])('works with %s, without a key', async (_, what) => {
    const { client, requests } = createTestClient(serveStreams(), { renderKey: 'render-key' });
    expect(await client.renders.start(what)).toEqual(startResponse());
    expect([requests[0]?.method, requests[0]?.url.href]).toEqual(['GET', 'https://render.example/x?order=abc']);
    expect([...(requests[0]?.headers.keys() ?? [])]).toEqual([]);
  });

  it('works with a job description, sending only the render key and an ID that cannot be guessed', async () => {
    const { client, requests } = createTestClient(serveStreams(), {
      renderKey: 'render-key',
      apiUrl: 'https://jobs.example',
    });
    await client.renders.start(job);
    await client.renders.start({ ...job, id: 'mine' });
    expect([requests[0]?.method, requests[0]?.url.href]).toEqual([
      'POST',
      'https://jobs.example/api/v1/render/execute',
    ]);
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
      'content-type': 'application/json',
      authorization: 'Bearer render-key',
    });
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ ...job, id: expect.stringMatching(/^job-[0-9a-f]{32}$/) });
    expect(JSON.parse(requests[1]?.body ?? '')).toEqual({ ...job, id: 'mine' });
  });

  it('can be postponed by storing the job', async () => {
    const storeResponse = {
      cacheId: 'c',
      executionUrl: 'https://r.example/c',
      statusUrl: 'wss://r.example',
      expiresAt: '2026',
    };
    const { client, requests } = createTestClient(() => jsonResponse(storeResponse, 201), { renderKey: 'render-key' });
    expect(await client.renders.store(job)).toEqual(storeResponse);
    expect(requests[0]?.url.pathname).toBe('/api/v1/render/cache');
  });

  it('keeps the sealed part of the URL out of errors', async () => {
    const { client } = createTestClient(() => errorResponse(410, 'token_expired', { retryable: false }));
    const error = await client.renders.start('https://render.example/x?order=secret').catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'token_expired', statusCode: 410 });
    expect(JSON.stringify(error) + String(error)).not.toContain('secret');
  });
});

describe('starting many renders', () => {
  it('takes one call and returns each outcome in order', async () => {
    const error = { message: 'Slow down.', code: 'rate_limited', statusCode: 429, retryable: true };
    const none = { output: null, error: null, error_code: null, retryable: null, input: null };
    const results = [
      { statusCode: 202, body: startResponse(), ...none },
      { statusCode: 429, retryAfter: 3, body: { error } },
    ];
    const { client, requests } = createTestClient(() => jsonResponse({ results }), { renderKey: 'render-key' });
    const outcomes = await client.renders.startAll([job, 'https://render.example/x?order=abc']);
    expect(outcomes).toEqual([
      { status: 'fulfilled', value: { ...startResponse(), ...none } },
      { status: 'rejected', reason: expect.objectContaining({ code: 'rate_limited', statusCode: 429, retryAfter: 3 }) },
    ]);
    expect([requests[0]?.method, requests[0]?.url.pathname]).toEqual(['POST', '/api/v1/render/batch']);
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer render-key');
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      jobs: [
        { ...job, id: expect.stringMatching(/^job-[0-9a-f]{32}$/) },
        { executionUrl: 'https://render.example/x?order=abc' },
      ],
    });
  });

  it('takes as many calls as necessary, and none for an empty list', async () => {
    const { client, requests } = createTestClient(({ body }) => {
      const { jobs } = JSON.parse(body ?? '');
      return jsonResponse({ results: jobs.map(() => ({ statusCode: 200, body: startResponse('already_exists') })) });
    });
    expect(await client.renders.startAll(Array(120).fill('https://render.example/x?order=abc'))).toHaveLength(120);
    expect(requests.map(({ body }) => JSON.parse(body ?? '').jobs.length)).toEqual([50, 50, 20]);
    expect(await client.renders.startAll([])).toEqual([]);
    expect(requests).toHaveLength(3);
  });
});

describe('cancelling a render', () => {
  const answer = { jobId: 'job-1', status: 'cancelled', message: 'The job is cancelled.', job: failedEvent };
  const url = 'https://render.example/prefix/api/v1/render/execute?order=abc';

  it.each([
    ['an execution URL', url],
    ['a stored job', { executionUrl: url, cacheId: 'c' }],
    ['a renderable item', { label: '720p', renderConfig: { executionUrl: url } }],
  ])('works with %s, without a key', async (_, what) => {
    const { client, requests } = createTestClient(() => jsonResponse(answer), { renderKey: 'render-key' });
    expect(await client.renders.cancel(what)).toEqual(answer);
    expect([requests[0]?.method, requests[0]?.url.href]).toEqual(['DELETE', url]);
    expect([...(requests[0]?.headers.keys() ?? [])]).toEqual([]);
  });

  it.each([
    'https://render.example/prefix/api/v1/render/execute/stored-id',
    'https://render.example/api/v1/render/execute',
  ])('works with the execution URL %s', async (executionUrl) => {
    const { client, requests } = createTestClient(() => jsonResponse(answer));
    await client.renders.cancel(executionUrl);
    expect(requests[0]?.url.href).toBe(executionUrl);
  });

  it.each([
    'http://127.0.0.1:9200/index',
    'https://render.example/api/v1/render/jobs/another',
    'https://render.example/api/v1/render/execute/../jobs/another',
    'https://render.example/api/v1/render/execute/a/b',
    'https://render.example/?/api/v1/render/execute',
    'https://render.example/#/api/v1/render/execute',
  ])('sends no DELETE to %s, which is not an execution URL', async (executionUrl) => {
    const { client, requests } = createTestClient(() => jsonResponse(answer));
    await expect(client.renders.cancel({ executionUrl })).rejects.toMatchObject({ fault: 'malformed' });
    expect(requests).toEqual([]);
  });

  it.each([
    ['its id', 'a:b'],
    ['the response of a start call', { ...startResponse(), jobId: 'a:b' }],
  ])('works with %s, using the render key', async (_, what) => {
    const { client, requests } = createTestClient(() => jsonResponse(answer), {
      renderKey: 'render-key',
      apiUrl: 'https://jobs.example',
    });
    await client.renders.cancel(what);
    expect([requests[0]?.method, requests[0]?.url.href]).toEqual([
      'DELETE',
      'https://jobs.example/api/v1/render/jobs/a%3Ab',
    ]);
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({ authorization: 'Bearer render-key' });
  });

  it('is not a retryable failure: finish does not restart the render', async () => {
    const cancelled = failure('Cancelled by its owner', 'cancelled', false);
    const { client, requests } = createTestClient(serveStreams(stream([cancelled])));
    const error = await settle(client.renders.finish(job, { restartAfter: advisedRestarts }));
    expect(error).toMatchObject({ status: 'failed', cancelled: true, retryable: false });
    expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('is reported with the exact error text of the service', () => {
    expect(cancelledError).toBe('Cancelled by its owner');
  });
});

it('look returns the current status of a render by its ID', async () => {
  const { client, requests } = createTestClient(() => jsonResponse(doneEvent));
  expect(await client.renders.look(startResponse())).toEqual(doneEvent);
  expect(await client.renders.look('a:b')).toEqual(doneEvent);
  expect(requests.map(({ method, url }) => [method, url.pathname])).toEqual([
    ['GET', '/api/v1/render/jobs/job-1'],
    ['GET', '/api/v1/render/jobs/a%3Ab'],
  ]);
});

describe('the status of a render', () => {
  it('arrives event by event up to the last one', async () => {
    const { client, requests } = createTestClient(
      serveStreams(stream([event('queued', 0), event('processing', 55), doneEvent])),
    );
    const { items, error } = await collect(client.renders.status(startResponse()));
    expect(error).toBeUndefined();
    expect(items.map(({ status, progress }) => [status, progress])).toEqual([
      ['queued', 0],
      ['processing', 55],
      ['done', 100],
    ]);
    expect(requests[0]?.url.href).toBe(startResponse().sseStatusUrl);
    expect(requests[0]?.headers.has('x-marketplace-key')).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('can be requested by job ID', async () => {
    const { client, requests } = createTestClient(serveStreams(stream([failedEvent])));
    const { items } = await collect(client.renders.status('a:b'));
    expect(items).toEqual([failedEvent]);
    expect(requests[0]?.url.pathname).toBe('/api/v1/render/status/sse/a%3Ab');
  });

  it.each([
    ['breaks off', stream([event('queued', 0)], 'breaks')],
    ['ends too early', stream([event('queued', 0)], 'ends')],
    ['falls silent', stream([event('queued', 0)], 'silent')],
    ['is temporarily refused', () => errorResponse(503, 'service_unavailable')],
    ['sends an invalid event', () => new Response('data: {"status":7}\n\n')],
    ['sends invalid JSON', () => new Response('data: <html>\n\n')],
  ])('resumes if the stream %s', async (_, brokenStream) => {
    const { client, requests } = createTestClient(
      serveStreams(brokenStream, brokenStream, stream([event('processing', 55), doneEvent])),
    );
    const reconnects: boolean[] = [];
    const onReconnect = (reason: MillraceClientError) => reconnects.push(reason.retryable);
    const { items, error } = await collect(client.renders.status(startResponse(), { onReconnect }));
    expect(error).toBeUndefined();
    expect(items.at(-1)).toEqual(doneEvent);
    expect(requests).toHaveLength(3);
    expect(reconnects).toEqual([true, true]);
  });

  it('fails if reconnecting fails', async () => {
    const { client, requests } = createTestClient(serveStreams());
    const { error } = await collect(client.renders.status(startResponse(), { reconnects: 3 }));
    expect(error).toMatchObject({ code: 'service_unavailable' });
    expect(requests).toHaveLength(4);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('resets the reconnect count after each event', async () => {
    const streams = Array.from({ length: 12 }, () => stream([event('processing', 51)], 'breaks'));
    const { client } = createTestClient(serveStreams(...streams, stream([doneEvent])));
    const { items } = await collect(client.renders.status(startResponse(), { reconnects: 1 }));
    expect(items).toHaveLength(13);
  });

  it('fails if the job or the stream does not exist', async () => {
    const none = createTestClient(serveStreams(stream([notFound])));
    const { error } = await collect(none.client.renders.status('job-1'));
    expect(error).toBeInstanceOf(MillraceRenderError);
    expect(error).toMatchObject({ status: 'not_found', jobId: 'job-1', retryable: false });
    const wrong = createTestClient(serveStreams(() => errorResponse(404, 'not_found', { retryable: false })));
    expect((await collect(wrong.client.renders.status('job-1'))).error).toMatchObject({ code: 'not_found' });
    expect(wrong.requests).toHaveLength(1);
  });

  it('fails when the timeout expires', async () => {
    const streams = Array.from({ length: 50 }, () => stream([event('queued', 0)], 'silent'));
    const { client } = createTestClient(serveStreams(...streams));
    const { error } = await collect(client.renders.status(startResponse(), { timeout: 60_000 }));
    expect(error).toBeInstanceOf(MillraceNetworkError);
    expect(error).toMatchObject({ fault: 'timeout', message: expect.stringContaining('60 s') });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends when its signal aborts or the consumer stops', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const { client, requests } = createTestClient(
      serveStreams(stream([event('queued', 0)], 'silent'), stream([event('queued', 0)], 'silent')),
    );
    const events = client.renders.status(startResponse(), { signal: controller.signal });
    await events.next();
    const next = events.next().catch((error: unknown) => error);
    controller.abort(reason);
    expect(await next).toBe(reason);
    for await (const _ of client.renders.status(startResponse())) break;
    expect(requests).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('delivering a render', () => {
  const outcome = { httpStatus: 200, etag: null, code: null, message: null };
  const delivery = { status: 'delivered', host: 'bucket.example', bytes: 10, attempts: 1, ...outcome };
  const onlyDelivered = event('done', 100, { delivery });

  it.each([
    ['only delivered', onlyDelivered],
    ['also stored', event('done', 100, { output, delivery: { ...delivery, status: 'failed' } })],
  ])('returns the outcome of a delivery whose file is %s', async (_name, last) => {
    const { client } = createTestClient(serveStreams(stream([event('processing', 50), last])));
    expect(await client.renders.deliver(job)).toEqual(last);
  });

  it('fails if the job failed', async () => {
    const refused = failure('The store returned 403.', 'delivery_refused', false);
    const { client } = createTestClient(serveStreams(stream([refused])));
    expect(await settle(client.renders.deliver(job))).toMatchObject({ code: 'delivery_refused', retryable: false });
  });

  it('and finishing name each other for a job of the other kind', async () => {
    const { client } = createTestClient(serveStreams(stream([onlyDelivered]), stream([doneEvent])));
    expect(await settle(client.renders.finish(job))).toMatchObject({
      message: expect.stringContaining('renders.deliver'),
    });
    expect(await settle(client.renders.deliver(job))).toMatchObject({
      message: expect.stringContaining('renders.finish'),
    });
  });
});

describe('finishing a render', () => {
  it('returns the file and reports status events', async () => {
    const { client } = createTestClient(serveStreams(stream([event('queued', 0), doneEvent])));
    const progressValues: number[] = [];
    const finished = await client.renders.finish('https://render.example/x', {
      onStatus: (one) => progressValues.push(one.progress),
    });
    expect(finished.output).toEqual(output);
    expect(progressValues).toEqual([0, 100]);
  });

  it('throws if the render failed', async () => {
    const { client } = createTestClient(serveStreams(stream([failedEvent])));
    const error = await settle(client.renders.finish(job));
    expect(error).toBeInstanceOf(MillraceRenderError);
    expect(error).toMatchObject({
      message: 'The source answered 503.',
      status: 'failed',
      jobId: 'job-1',
      code: 'source_unreachable',
      input: 0,
      retryable: true,
    });
  });

  it('throws without a restart if the failure is not retryable', async () => {
    const { client, requests } = createTestClient(serveStreams(stream([refusedSource])));
    const error = await settle(client.renders.finish(job, { restartAfter: advisedRestarts }));
    expect(error).toMatchObject({ code: 'source_refused', input: 1, retryable: false, cancelled: false });
    expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('throws with the code other if the service sends no codes', async () => {
    const { error_code: _code, retryable: _retryable, input: _input, ...older } = failedEvent;
    const { client } = createTestClient(serveStreams(stream([older])));
    const error = await settle(client.renders.finish(job));
    expect(error).toMatchObject({ code: 'other', input: null, retryable: false });
    const cancelled = { ...older, error: 'Cancelled by its owner' };
    expect(await settle(createTestClient(serveStreams(stream([cancelled]))).client.renders.finish(job))).toMatchObject({
      code: 'cancelled',
      cancelled: true,
    });
  });

  it('restarts the same job on request', async () => {
    const { client, requests } = createTestClient(
      serveStreams(stream([failedEvent]), stream([failedEvent]), stream([doneEvent])),
    );
    const finished = client.renders.finish(job, { restartAfter: advisedRestarts });
    await vi.advanceTimersByTimeAsync(5_001);
    expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(15_001);
    expect(await finished).toMatchObject({ output });
    const ids = requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body ?? '').id);
    expect([ids.length, new Set(ids).size]).toEqual([3, 1]);
  });
});
