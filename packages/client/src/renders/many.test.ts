import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import { advanceTime } from '../testing/advance-time.ts';
import {
  createTestClient,
  errorResponse,
  jsonResponse,
  type RequestHandler,
  type SentRequest,
} from '../testing/test-client.ts';
import type { RenderBatch } from './batch/batch.ts';
import type { ItemReport } from './batch/item-report.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** The execution URLs of the items `a`, `b` and so on. */
const urlOf = (item: string) => `https://render.example/api/v1/render/execute/${item}`;
const itemOf = ({ url }: SentRequest) => url.pathname.split('/').at(-1) ?? '';
const isStart = ({ url }: SentRequest) => url.pathname.startsWith('/api/v1/render/execute/');

const output = (item: string) => ({
  url: `https://files.example/${item}.mp4`,
  size: 1,
  sizeText: '1.00 B',
  key: item,
  notes: [],
});

const statusEvent = (item: string, status: string, more: object = {}) => ({
  job_id: item,
  status,
  progress: status === 'done' ? 100 : 40,
  output: status === 'done' ? output(item) : null,
  ...{ error: null, error_code: null, retryable: null, input: null },
  created_at: '2026-11-21T00:00:00.000Z',
  expires_at: '2026-11-21T01:00:00.000Z',
  ...more,
});

/** A simulated render service, whose jobs wait for the test. */
function createService(startHandler: (item: string, attempt: number) => Response | undefined = () => undefined) {
  const started: string[] = [];
  const cancelled: string[] = [];
  const streams = new Map<string, ReadableStreamDefaultController<Uint8Array>>();
  const handler: RequestHandler = (request) => {
    const item = itemOf(request);
    if (isStart(request) && request.method === 'DELETE') {
      cancelled.push(item);
      return jsonResponse({ jobId: item, status: 'cancelled', message: '', job: {} });
    }
    if (isStart(request)) {
      started.push(item);
      const response = startHandler(item, started.filter((other) => other === item).length);
      const sseStatusUrl = `https://render.example/sse/${item}`;
      return response ?? jsonResponse({ jobId: item, status: 'queued', message: '', statusUrl: '', sseStatusUrl }, 202);
    }
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        streams.set(item, controller);
        request.signal?.addEventListener('abort', () => controller.error(request.signal?.reason));
      },
    });
    return new Response(body);
  };
  const { client } = createTestClient(handler, { key: undefined, retries: 0 });
  return {
    client,
    started,
    cancelled,
    /** Sends a status event of a job. */
    async send(item: string, status: string, more: object = {}) {
      await vi.advanceTimersByTimeAsync(0);
      const data = `data: ${JSON.stringify(statusEvent(item, status, more))}\n\n`;
      streams.get(item)?.enqueue(new TextEncoder().encode(data));
      await vi.advanceTimersByTimeAsync(0);
    },
    fail(item: string, error_code = 'source_refused', retryable = false) {
      return this.send(item, 'failed', { error: 'It failed.', error_code, retryable });
    },
  };
}

/** Reads a batch to its end. */
function read<Item>(batch: RenderBatch<Item>) {
  const reports: ItemReport<Item>[] = [];
  const end = (async () => {
    for await (const report of batch) reports.push(report);
  })().catch((error: unknown) => error);
  return { reports, end, states: () => reports.map(({ index, state }) => `${index} ${state}`) };
}

const settled = () => vi.advanceTimersByTimeAsync(0);

describe('a batch of renders', () => {
  it('renders a few items at a time, and reports each', async () => {
    const service = createService();
    const batch = service.client.renders.many(['a', 'b', 'c'].map(urlOf), { concurrency: 2 });
    const { reports, end, states } = read(batch);
    await settled();
    expect(service.started).toEqual(['a', 'b']);
    expect(batch.counts).toEqual({ total: 3, waiting: 1, running: 2, done: 0, failed: 0, stopped: 0 });
    await service.send('b', 'processing');
    await service.send('b', 'done');
    expect(service.started).toEqual(['a', 'b', 'c']);
    await service.send('a', 'done');
    await service.send('c', 'done');
    expect(await end).toBeUndefined();
    expect(states()).toEqual([
      ...['0 preparing', '1 preparing', '1 running', '1 done', '2 preparing', '0 done', '2 done'],
    ]);
    expect(reports[2]).toMatchObject({ item: urlOf('b'), progress: 40, event: { status: 'processing' } });
    expect(reports[3]).toMatchObject({ progress: 100, output: output('b') });
    expect(batch.counts).toEqual({ total: 3, waiting: 0, running: 0, done: 3, failed: 0, stopped: 0 });
    expect(batch.remaining()).toEqual([]);
  });

  it('prepares its items, and reads them only when they can start', async () => {
    const service = createService();
    const taken: string[] = [];
    async function* source() {
      for (const item of ['a', 'b', 'c', 'd']) {
        taken.push(item);
        yield item;
      }
    }
    const batch = service.client.renders.many(source(), {
      concurrency: 1,
      prepare: async (item) => ({ executionUrl: urlOf(item) }),
    });
    expectTypeOf(batch).toEqualTypeOf<RenderBatch<string>>();
    const { end } = read(batch);
    await settled();
    expect(taken).toEqual(['a']);
    expect(batch.counts.total).toBeUndefined();
    for (const item of ['a', 'b', 'c', 'd']) await service.send(item, 'done');
    expect(await end).toBeUndefined();
    expect(batch.counts).toMatchObject({ total: 4, done: 4 });
  });

  it('continues after the failure of an item, and retries it on request', async () => {
    const service = createService();
    const batch = service.client.renders.many(['a', 'b'], {
      concurrency: 1,
      prepare: (item) => {
        if (item === 'a' && service.started.length === 0) throw new Error('a is private');
        return urlOf(item);
      },
    });
    const first = read(batch);
    await service.send('b', 'processing');
    await service.fail('b');
    expect(await first.end).toBeUndefined();
    expect(first.states()).toEqual(['0 preparing', '0 failed', '1 preparing', '1 running', '1 failed']);
    expect(first.reports[1]?.error).toEqual(new Error('a is private'));
    expect(first.reports[4]).toMatchObject({ error: { name: 'MillraceRenderError' }, event: { status: 'failed' } });
    expect(batch.remaining()).toEqual(['a', 'b']);

    batch.retryFailed();
    const second = read(batch);
    await service.send('a', 'done');
    await service.send('b', 'done');
    expect(await second.end).toBeUndefined();
    expect(second.states()).toEqual(['0 preparing', '0 done', '1 preparing', '1 done']);
    expect(batch.counts).toMatchObject({ done: 2, failed: 0 });
  });

  it('starts no item while it is paused', async () => {
    const service = createService();
    const batch = service.client.renders.many(['a', 'b'].map(urlOf), { concurrency: 1 });
    const { end } = read(batch);
    batch.pause();
    await service.send('a', 'done');
    expect(service.started).toEqual(['a']);
    batch.resume();
    await service.send('b', 'done');
    expect(await end).toBeUndefined();
    expect(service.started).toEqual(['a', 'b']);
  });

  it.each([
    [{}, []],
    [{ cancel: true }, ['a', 'b']],
  ])('stops with %o, and returns the items for another batch', async (options, cancelled) => {
    const service = createService();
    const batch = service.client.renders.many(['a', 'b', 'c', 'd'].map(urlOf), { concurrency: 2 });
    const { end, states } = read(batch);
    await service.send('b', 'processing');
    batch.stop(options);
    batch.retryFailed();
    expect(await end).toBeUndefined();
    expect(states().slice(-2)).toEqual(['0 stopped', '1 stopped']);
    expect(service.cancelled).toEqual(cancelled);
    expect(batch.remaining()).toEqual(['a', 'b', 'c', 'd'].map(urlOf));
    expect(batch.counts).toMatchObject({ stopped: 2, running: 0 });

    const next = service.client.renders.many(batch.remaining(), { concurrency: 4 });
    const rest = read(next);
    for (const item of ['a', 'b', 'c', 'd']) await service.send(item, 'done');
    expect(await rest.end).toBeUndefined();
    expect(next.counts.done).toBe(4);
  });

  it('stops although its source does not respond', async () => {
    const service = createService();
    const source = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) };
    const batch = service.client.renders.many<string>(source);
    const { end } = read(batch);
    await settled();
    batch.stop();
    expect(await end).toBeUndefined();
  });

  it('stops if a reader leaves early', async () => {
    const service = createService();
    const batch = service.client.renders.many(['a', 'b'].map(urlOf), { concurrency: 1 });
    for await (const { state } of batch) if (state === 'preparing') break;
    await settled();
    expect(batch.counts).toMatchObject({ running: 0, stopped: 1 });
  });

  it('throws the reason of an aborted signal after the reports', async () => {
    const service = createService();
    const controller = new AbortController();
    const batch = service.client.renders.many([urlOf('a')], { signal: controller.signal });
    const { end, states } = read(batch);
    await service.send('a', 'processing');
    controller.abort(new Error('enough'));
    expect(await end).toEqual(new Error('enough'));
    expect(states()).toEqual(['0 preparing', '0 running', '0 stopped']);
    const { end: later, states: none } = read(service.client.renders.many([urlOf('a')], { signal: controller.signal }));
    expect([await later, none()]).toEqual([new Error('enough'), []]);
  });

  it('throws the failure of its source after the reports', async () => {
    const service = createService();
    async function* source() {
      yield urlOf('a');
      throw new Error('the list ended');
    }
    const { end, states } = read(service.client.renders.many(source()));
    await service.send('a', 'done');
    expect(await end).toEqual(new Error('the list ended'));
    expect(states()).toEqual(['0 preparing', '0 done']);
  });

  it('refuses an invalid concurrency or maximum wait', () => {
    const { client } = createService();
    for (const concurrency of [0, 1.5, 51]) expect(() => client.renders.many([], { concurrency })).toThrow(RangeError);
    for (const maxWait of [-1, Number.NaN, 2 ** 31]) {
      expect(() => client.renders.many([], { maxWait })).toThrow(RangeError);
    }
  });
});

describe('a busy service', () => {
  const busy = (code = 'rate_limited', seconds = 20) => errorResponse(429, code, {}, { 'retry-after': `${seconds}` });

  it('delays the starts for as long as it states', async () => {
    const service = createService((item, attempt) => (item === 'a' && attempt <= 2 ? busy() : undefined));
    const batch = service.client.renders.many(['a', 'b'].map(urlOf), { concurrency: 1 });
    const { reports, end, states } = read(batch);
    await vi.advanceTimersByTimeAsync(19_999);
    expect(service.started).toEqual(['a']);
    expect(reports.at(-1)).toMatchObject({ state: 'waiting', wait: { reason: 'busy', until: expect.any(Number) } });
    expect(reports.at(-1)).not.toHaveProperty('error');
    expect(batch.wait?.error).toMatchObject({ code: 'rate_limited' });
    expect(batch.counts).toMatchObject({ waiting: 2, running: 0 });
    await vi.advanceTimersByTimeAsync(1);
    expect(service.started).toEqual(['a', 'a']);
    await vi.advanceTimersByTimeAsync(20_000);
    await service.send('a', 'done');
    await service.send('b', 'done');
    expect(await end).toBeUndefined();
    expect(states()).toEqual([
      ...['0 preparing', '0 waiting', '0 preparing', '0 waiting', '0 preparing', '0 done', '1 preparing', '1 done'],
    ]);
    expect(batch.wait).toBeUndefined();
  });

  it('is not called while the batch is paused', async () => {
    const service = createService((_, attempt) => (attempt === 1 ? busy() : undefined));
    const batch = service.client.renders.many([urlOf('a')]);
    const { end } = read(batch);
    await settled();
    batch.pause();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(service.started).toEqual(['a']);
    batch.resume();
    await service.send('a', 'done');
    expect(await end).toBeUndefined();
    expect(service.started).toEqual(['a', 'a']);
  });

  it('delays the starts for as long as the caller allows', async () => {
    const day = 86_400_000;
    const service = createService((_, attempt) => (attempt === 1 ? busy('rate_limited', 80_000) : undefined));
    const { end, states } = read(service.client.renders.many([urlOf('a')], { maxWait: day, timeout: 2 * day }));
    await vi.advanceTimersByTimeAsync(80_000_000);
    await service.send('a', 'done');
    expect(await end).toBeUndefined();
    expect(states()).toEqual(['0 preparing', '0 waiting', '0 preparing', '0 done']);
  });

  it('delays all items of the batch', async () => {
    const service = createService((item, attempt) => (item === 'a' && attempt === 1 ? busy() : undefined));
    const prepare = async (item: string) => {
      if (item !== 'a') await new Promise((resolve) => setTimeout(resolve, 1_000));
      return urlOf(item);
    };
    const { end } = read(service.client.renders.many(['a', 'b'], { concurrency: 2, prepare }));
    await vi.advanceTimersByTimeAsync(19_000);
    expect(service.started).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(service.started.toSorted()).toEqual(['a', 'a', 'b']);
    await service.send('a', 'done');
    await service.send('b', 'done');
    expect(await end).toBeUndefined();
  });

  it('starts a job again that failed because the queue was full', async () => {
    const service = createService();
    const batch = service.client.renders.many([urlOf('a')]);
    const { end } = read(batch);
    await service.fail('a', 'at_capacity', true);
    await vi.advanceTimersByTimeAsync(1_000);
    await service.send('a', 'done');
    expect(await end).toBeUndefined();
    expect([service.started, batch.counts.done]).toEqual([['a', 'a'], 1]);
  });

  it.each([
    ['stays busy for more than 10 minutes', () => busy(), 31],
    ['states a longer wait', () => busy('rate_limited', 601), 1],
    ['has no credits left', () => busy('quota_exceeded'), 1],
  ])('fails an item if it %s', async (_, response, attempts) => {
    const service = createService(response);
    const { end, states } = read(service.client.renders.many([urlOf('a')]));
    await advanceTime();
    await advanceTime();
    expect(await end).toBeUndefined();
    expect(states().slice(-2)).toEqual(['0 preparing', '0 failed']);
    expect(service.started).toHaveLength(attempts);
  });

  it('delays the starts even if it does not state how long', async () => {
    const service = createService(() => busy('rate_limited', 0));
    const { end, states } = read(service.client.renders.many([urlOf('a')]));
    await advanceTime();
    await advanceTime();
    expect(await end).toBeUndefined();
    expect(states().at(-1)).toBe('0 failed');
    expect(service.started.length).toBeLessThan(100);
  });

  it('does not delay a stop', async () => {
    const service = createService(() => busy());
    const batch = service.client.renders.many([urlOf('a')]);
    const { end, states } = read(batch);
    await settled();
    batch.stop();
    expect(await end).toBeUndefined();
    expect(states()).toEqual(['0 preparing', '0 waiting', '0 stopped']);
  });

  it('does not delay the stop of a paused batch', async () => {
    const service = createService(() => busy());
    const batch = service.client.renders.many([urlOf('a')]);
    const { end } = read(batch);
    await settled();
    batch.pause();
    await vi.advanceTimersByTimeAsync(60_000);
    batch.stop();
    expect(await end).toBeUndefined();
    expect(batch.counts.stopped).toBe(1);
  });

  it('is tried again when a device without a connection may have one', async () => {
    vi.stubGlobal('navigator', { onLine: false });
    let attempts = 0;
    const service = createService(() => {
      attempts += 1;
      if (attempts < 3) throw new TypeError('no network');
      return undefined;
    });
    const batch = service.client.renders.many([urlOf('a')]);
    const { end } = read(batch);
    await settled();
    expect(batch.wait?.reason).toBe('offline');
    await vi.advanceTimersByTimeAsync(10_000);
    await service.send('a', 'done');
    expect(await end).toBeUndefined();
    vi.unstubAllGlobals();
  });
});

describe('the work for an item', () => {
  it('can render several files, or none', async () => {
    const service = createService();
    const files: string[] = [];
    const batch = service.client.renders.many(['ab', ''], {
      async run(item, { finish }) {
        for (const name of item) files.push((await finish(urlOf(name))).output.url);
      },
    });
    const { reports, end, states } = read(batch);
    await service.send('a', 'done');
    await service.send('b', 'processing');
    await service.send('b', 'done');
    expect(await end).toBeUndefined();
    expect(files).toEqual([output('a').url, output('b').url]);
    expect(states()).toEqual(['0 preparing', '1 preparing', '1 done', '0 running', '0 done']);
    expect(reports[2]).toEqual({ item: '', index: 1, state: 'done', progress: 100 });
    expect(reports[4]?.output).toEqual(output('b'));
  });

  it('is done again after a wait for a busy service', async () => {
    const service = createService((item) => (item === 'busy' ? errorResponse(503, 'service_unavailable') : undefined));
    let attempts = 0;
    const batch = service.client.renders.many(['a'], {
      async run(item, { finish }) {
        attempts += 1;
        if (attempts === 1) await service.client.renders.start(urlOf('busy'));
        await finish(urlOf(item));
      },
    });
    const { end } = read(batch);
    await settled();
    await vi.advanceTimersByTimeAsync(1_000);
    await service.send('a', 'done');
    expect(await end).toBeUndefined();
    expect(attempts).toBe(2);
  });

  it('can handle the failure of a render', async () => {
    const service = createService((item) => (item === 'a' ? errorResponse(410, 'expired') : undefined));
    const { end, states } = read(
      service.client.renders.many(['a'], {
        async run(item, { finish }) {
          await finish(urlOf(item)).catch(() => finish(urlOf('b')));
        },
      }),
    );
    await service.send('b', 'done');
    expect(await end).toBeUndefined();
    expect(states()).toEqual(['0 preparing', '0 done']);
  });

  it('ends when the batch is stopped, and its jobs are cancelled on request', async () => {
    const service = createService();
    const batch = service.client.renders.many(['abc'], {
      async run(item, { finish }) {
        for (const name of item) await finish(urlOf(name));
      },
    });
    const { end, states } = read(batch);
    await service.send('a', 'done');
    await service.send('b', 'processing');
    batch.stop({ cancel: true });
    expect(await end).toBeUndefined();
    expect(states()).toEqual(['0 preparing', '0 running', '0 stopped']);
    expect(service.cancelled).toEqual(['b']);
  });
});

describe('items that are added to a batch', () => {
  it('run after the others, also after its end', async () => {
    const service = createService();
    const batch = service.client.renders.many(['a', 'b'].map(urlOf), { concurrency: 1 });
    batch.add([urlOf('c')]);
    const first = read(batch);
    await settled();
    expect(batch.counts).toMatchObject({ total: 3, waiting: 2, running: 1 });
    expect(batch.remaining()).toEqual(['a', 'b', 'c'].map(urlOf));
    for (const item of ['a', 'b', 'c']) await service.send(item, 'done');
    expect(await first.end).toBeUndefined();

    batch.add([urlOf('d')]);
    const second = read(batch);
    await service.send('d', 'done');
    expect(await second.end).toBeUndefined();
    expect(second.states()).toEqual(['3 preparing', '3 done']);
    expect(batch.counts).toMatchObject({ total: 4, done: 4 });
  });

  it('are only returned by a stopped batch', async () => {
    const service = createService();
    const batch = service.client.renders.many<string>([]);
    batch.stop();
    batch.add([urlOf('a')]);
    expect(await read(batch).end).toBeUndefined();
    expect([service.started, batch.remaining()]).toEqual([[], [urlOf('a')]]);
  });
});

describe('the reports of a batch', () => {
  const refuse = () => {
    throw new Error('refused');
  };

  it('are the latest of each item for a slow reader', async () => {
    const service = createService();
    const batch = service.client.renders.many([urlOf('a')]);
    await service.send('a', 'processing');
    await service.send('a', 'done');
    const { end, states } = read(batch);
    expect(await end).toBeUndefined();
    expect(states()).toEqual(['0 done']);
  });

  it('hold back the items of a reader that has stopped reading', async () => {
    const { client } = createService();
    const batch = client.renders.many(
      Array.from({ length: 3_000 }, (_, item) => item),
      { prepare: refuse },
    );
    const reader = batch[Symbol.asyncIterator]();
    await reader.next();
    await vi.advanceTimersByTimeAsync(100);
    expect(batch.counts.failed).toBeLessThan(1_100);
    let count = 1;
    for (let next = await reader.next(); !next.done; next = await reader.next()) count += 1;
    expect(batch.counts.failed).toBe(3_000);
    expect(count).toBeGreaterThanOrEqual(3_000);
  });

  it('are limited to 1,000 items without a reader, and are all passed to onReport', async () => {
    const { client } = createService();
    let failures = 0;
    const batch = client.renders.many(
      Array.from({ length: 1_500 }, (_, item) => item),
      {
        prepare: refuse,
        onReport: ({ state }) => {
          if (state === 'failed') failures += 1;
        },
      },
    );
    await vi.advanceTimersByTimeAsync(100);
    expect([failures, batch.counts.failed]).toEqual([1_500, 1_500]);
    const { reports, end } = read(batch);
    await end;
    expect(reports).toHaveLength(1_000);
    expect(reports.at(-1)?.index).toBe(1_499);
  });
});
