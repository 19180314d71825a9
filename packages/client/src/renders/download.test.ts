import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { advanceTime } from '../testing/advance-time.ts';
import {
  createBody,
  createTestClient,
  errorResponse,
  type RequestHandler,
  type SentRequest,
} from '../testing/test-client.ts';
import type { FileHead } from './download.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

const url = 'https://files.example/files/k/a.mp4';

const bytesOf = (length: number) => Uint8Array.from({ length }, (_, at) => at % 251);

interface ServerOptions {
  /** The bytes after which each connection breaks. Later connections do not break. */
  readonly cuts?: readonly number[];
  readonly end?: 'breaks' | 'ends' | 'silent';
  readonly etag?: string;
}

/** Serves a file with ranges, as the service does. */
function serveFile(
  file: Uint8Array<ArrayBuffer>,
  { cuts = [], end = 'breaks', etag = 'W/"a"' }: ServerOptions = {},
): RequestHandler {
  const remainingCuts = [...cuts];
  return ({ headers, signal }) => {
    const from = Number(/^bytes=(\d+)-$/.exec(headers.get('range') ?? 'bytes=0-')?.[1]);
    const cutAfter = remainingCuts.shift();
    const part = file.slice(from, cutAfter === undefined ? undefined : from + cutAfter);
    const chunks = [part.slice(0, part.length >> 1), part.slice(part.length >> 1)].filter(({ length }) => length > 0);
    const body = createBody(chunks, cutAfter === undefined ? 'ends' : end, signal);
    const length = { 'content-length': String(file.length - from), etag };
    if (!headers.has('range')) return new Response(body, { headers: length });
    const range = `bytes ${from}-${file.length - 1}/${file.length}`;
    return new Response(body, { status: 206, headers: { ...length, 'content-range': range } });
  };
}

/** Reads a stream through all pauses. Returns its bytes and the error that ended it. */
async function readAll(stream: ReadableStream<Uint8Array>): Promise<{ bytes: Uint8Array; error: unknown }> {
  const chunks: Uint8Array[] = [];
  const reader = stream.getReader();
  const work = (async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value);
  })().catch((error: unknown) => error);
  await advanceTime();
  const error = await work;
  return { bytes: Uint8Array.from(chunks.flatMap((piece) => [...piece])), error };
}

const ranges = (requests: readonly SentRequest[]) => requests.map(({ headers }) => headers.get('range'));

describe('a download', () => {
  it('returns the file without sending keys, and requests nothing before it is read', async () => {
    const file = bytesOf(1_000);
    const { client, requests } = createTestClient(serveFile(file));
    const stream = client.renders.download({ url, size: 1_000 });
    expect(requests).toHaveLength(0);
    expect(await readAll(stream)).toEqual({ bytes: file, error: undefined });
    expect([...(requests[0]?.headers.keys() ?? [])]).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([['breaks'], ['ends'], ['silent']] as const)(
    'resumes from the same byte after a connection %s',
    async (end) => {
      const file = bytesOf(1_000);
      const { client, requests } = createTestClient(serveFile(file, { cuts: [300, 0, 200], end, etag: '"a"' }));
      expect(await readAll(client.renders.download({ url, size: 1_000 }))).toEqual({ bytes: file, error: undefined });
      expect(ranges(requests)).toEqual([null, 'bytes=300-', 'bytes=300-', 'bytes=500-']);
      expect(requests.map(({ headers }) => headers.get('if-range'))).toEqual([null, '"a"', '"a"', '"a"']);
    },
  );

  it('does not send a weak ETag in If-Range', async () => {
    const { client, requests } = createTestClient(serveFile(bytesOf(10), { cuts: [3] }));
    await readAll(client.renders.download(url));
    expect(requests[1]?.headers.has('if-range')).toBe(false);
  });

  it('starts after the bytes that already exist', async () => {
    const file = bytesOf(1_000);
    const { client, requests } = createTestClient(serveFile(file));
    const { bytes } = await readAll(client.renders.download({ url, size: 1_000 }, { from: 900 }));
    expect(bytes).toEqual(file.slice(900));
    expect(ranges(requests)).toEqual(['bytes=900-']);
    const withoutRanges = await readAll(client.renders.download({ url, size: 1_000 }, { from: 1_000 }));
    expect(withoutRanges).toEqual({ bytes: new Uint8Array(), error: undefined });
    expect(requests).toHaveLength(1);
  });

  it('reports the headers, and resumes in another process if the ETag is unchanged', async () => {
    const file = bytesOf(1_000);
    const { client, requests } = createTestClient(serveFile(file, { etag: '"a"' }));
    const heads: FileHead[] = [];
    const onHead = (head: FileHead) => heads.push(head);
    const { bytes } = await readAll(client.renders.download(url, { from: 400, tag: '"a"', onHead }));
    expect(bytes).toEqual(file.slice(400));
    expect(requests[0]?.headers.get('if-range')).toBe('"a"');
    expect(heads).toEqual([{ size: 1_000, tag: '"a"' }]);
    const other = await readAll(client.renders.download(url, { from: 400, tag: '"b"', onHead }));
    expect(other.error).toMatchObject({ fault: 'changed' });
    expect(heads).toHaveLength(1);
  });

  it.each([
    ['bytes 400-999/1000', undefined],
    ['bytes 400-999/*', 'changed'],
    ['bytes 400-999/1001', 'changed'],
  ])('resumes bytes without an ETag only if the file has the stated size: %s', async (place, fault) => {
    const rest = bytesOf(1_000).slice(400);
    const { client } = createTestClient(
      () => new Response(rest, { status: 206, headers: { 'content-range': place, 'content-length': '600' } }),
    );
    const { error } = await readAll(client.renders.download({ url, size: 1_000 }, { from: 400 }));
    expect(error).toEqual(fault === undefined ? undefined : expect.objectContaining({ fault }));
  });

  it.each([
    ['Sun, 01 Nov 2026 10:00:00 GMT', undefined],
    ['Sun, 01 Nov 2026 10:00:01 GMT', 'changed'],
  ])('resumes bytes with a weak ETag only if their date is the same: %s', async (modified, fault) => {
    const rest = bytesOf(1_000).slice(400);
    const headers = { 'content-range': 'bytes 400-999/1000', etag: 'W/"a"', 'last-modified': modified };
    const { client } = createTestClient(() => new Response(rest, { status: 206, headers }));
    const known = { from: 400, tag: 'W/"a"', modified: 'Sun, 01 Nov 2026 10:00:00 GMT' };
    const { error } = await readAll(client.renders.download(url, known));
    expect(error).toEqual(fault === undefined ? undefined : expect.objectContaining({ fault }));
  });

  it('is identical to the file, wherever connections break', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(2_000),
        fc.array(fc.integer({ min: 1, max: 700 }), { maxLength: 12 }),
        async (size, cuts) => {
          const file = bytesOf(size);
          const { client } = createTestClient(serveFile(file, { cuts }));
          expect(await readAll(client.renders.download({ url, size }))).toEqual({ bytes: file, error: undefined });
        },
      ),
      { seed: 8 },
    );
  });

  it('fails if reconnecting fails', async () => {
    const { client, requests } = createTestClient(
      serveFile(bytesOf(1_000), { cuts: [100, 0, 0, 0, 0, 0, 0, 0, 0, 0] }),
    );
    const { bytes, error } = await readAll(client.renders.download({ url, size: 1_000 }, { reconnects: 3 }));
    expect(bytes).toHaveLength(100);
    expect(error).toMatchObject({ name: 'MillraceNetworkError', fault: 'interrupted', retryable: true });
    expect(requests).toHaveLength(4);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('fails if the file has expired', async () => {
    const { client, requests } = createTestClient(() => errorResponse(410, 'expired', { retryable: false }));
    expect((await readAll(client.renders.download(url))).error).toMatchObject({ code: 'expired', statusCode: 410 });
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['has a different size', () => serveFile(bytesOf(900)), 1_000],
    ['arrives whole instead of the requested range', withoutRanges, 1_000],
    ['has a different ETag', withOtherTag, 1_000],
    ['has a different date with the same weak ETag', withOtherDate, 1_000],
    ['resumes at a different offset', withOtherRange, 1_000],
  ])('fails if the file %s', async (_, serve, size) => {
    const { client } = createTestClient(serve());
    const { error } = await readAll(client.renders.download({ url, size }));
    expect(error).toMatchObject({ name: 'MillraceNetworkError', fault: 'changed', retryable: false });
  });

  it.each([
    ['states its place', 'bytes 0-99/1000', ''],
    ['states its place, but not the size', 'bytes 0-99/*', ''],
    ['contains what was requested', 'bytes 100-999/1000', 'bytes=100-'],
  ])('never takes a part for the file if it has status 200 and %s', async (_how, place, range) => {
    const file = bytesOf(1_000);
    const serve = serveFile(file, { cuts: [100] });
    const { client } = createTestClient((request, attempt) => {
      if ((request.headers.get('range') ?? '') !== range) return serve(request, attempt);
      const body = range === '' ? file.slice(0, 100) : file.slice(100);
      return new Response(body, { headers: { 'content-range': place, etag: 'W/"a"' } });
    });
    const { bytes, error } = await readAll(client.renders.download({ url }));
    if (range === '') expect(error).toMatchObject({ fault: 'interrupted' });
    else expect([bytes, error]).toEqual([file, undefined]);
  });

  it('ends when its signal aborts or it is cancelled', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const { client } = createTestClient(serveFile(bytesOf(100), { cuts: [50, 50], end: 'silent' }));
    const reader = client.renders.download(url, { signal: controller.signal }).getReader();
    await reader.read();
    controller.abort(reason);
    await expect(reader.read().then(() => reader.read())).rejects.toBe(reason);
    const other = client.renders.download(url).getReader();
    await other.read();
    await other.cancel();
    expect(vi.getTimerCount()).toBe(0);
  });
});

/** Serves a file without range support. */
function withoutRanges(): RequestHandler {
  const first = serveFile(bytesOf(1_000), { cuts: [100] });
  return (request, attempt) => (attempt === 1 ? first(request, attempt) : new Response(bytesOf(1_000)));
}

function withOtherTag(): RequestHandler {
  const first = serveFile(bytesOf(1_000), { cuts: [100] });
  const second = serveFile(bytesOf(1_000), { etag: 'W/"b"' });
  return (request, attempt) => (attempt === 1 ? first : second)(request, attempt);
}

function withOtherDate(): RequestHandler {
  const serve = serveFile(bytesOf(1_000), { cuts: [100] });
  return async (request, attempt) => {
    const response = await serve(request, attempt);
    response.headers.set('last-modified', `Sun, 01 Nov 2026 10:00:0${attempt} GMT`);
    return response;
  };
}

function withOtherRange(): RequestHandler {
  const first = serveFile(bytesOf(1_000), { cuts: [100] });
  const headers = { 'content-range': 'bytes 99-999/1000', etag: 'W/"a"' };
  return (request, attempt) =>
    attempt === 1 ? first(request, attempt) : new Response(bytesOf(901), { status: 206, headers });
}

describe('a download without a size', () => {
  const file = bytesOf(100);
  /** A status, headers, and bytes of the file. */
  type Answer = readonly [number, Record<string, string>, Uint8Array<ArrayBuffer>?];
  /** Responds with these in turn. */
  const respondWith =
    (responses: readonly Answer[]): RequestHandler =>
    (_request, attempt) => {
      const [status, headers, body] = responses[attempt - 1] ?? [500, {}];
      return new Response(body === undefined ? null : createBody([body], 'ends'), { status, headers });
    };
  const part = (place: string, tag: Record<string, string> = {}) => ({ 'content-range': place, ...tag });
  const chunks = { 'transfer-encoding': 'chunked' };
  const half = file.slice(0, 50);

  it.each<[string, Answer[]]>([
    [
      'there are no bytes after it',
      [
        [200, {}, file],
        [416, part('bytes */100')],
      ],
    ],
    [
      'the server sends the same number of bytes again',
      [
        [200, {}, file],
        [200, {}, file],
      ],
    ],
    [
      'the server states the same number of bytes',
      [
        [200, {}, file],
        [200, { 'content-length': '100' }, half],
      ],
    ],
    [
      'it is complete after a reset',
      [
        [200, { etag: '"1"' }, half],
        [206, part('bytes 50-99/100', { etag: '"1"' }), file.slice(50)],
        [206, part('bytes 50-99/100', { etag: '"1"' }), file.slice(50)],
      ],
    ],
    [
      'there are no bytes after the last of its parts, whose total is unknown',
      [
        [200, { etag: '"1"' }, half],
        [206, part('bytes 50-69/*', { etag: '"1"' }), file.slice(50, 70)],
        [206, part('bytes 50-69/*', { etag: '"1"', ...chunks }), file.slice(50, 70)],
        [206, part('bytes 70-99/*', { etag: '"1"' }), file.slice(70)],
        [206, part('bytes 70-99/*', { etag: '"1"', ...chunks }), file.slice(70)],
        [416, part('bytes */100')],
      ],
    ],
    ['its chunks have ended', [[200, chunks, file]]],
  ])('is complete if %s', async (_when, responses) => {
    const { client, requests } = createTestClient(respondWith(responses));
    expect(await readAll(client.renders.download({ url }))).toEqual({ bytes: file, error: undefined });
    expect(requests).toHaveLength(responses.length);
  });

  it.each<[string, string, Answer[]]>([
    [
      'the server does not tell its end',
      'interrupted',
      [
        [200, {}, half],
        [416, {}],
      ],
    ],
    [
      'the server states more bytes',
      'interrupted',
      [
        [200, {}, half],
        [416, part('bytes */100')],
      ],
    ],
    [
      'the server sends more bytes',
      'interrupted',
      [
        [200, {}, half],
        [200, {}, file],
      ],
    ],
    ['it is sent as a part', 'interrupted', [[206, chunks, half]]],
  ])('fails if %s', async (_when, fault, responses) => {
    const { client } = createTestClient(respondWith(responses));
    const { error } = await readAll(client.renders.download({ url }, { reconnects: 0 }));
    expect(error).toMatchObject({ name: 'MillraceNetworkError', fault });
  });

  it.each(['many', '', '-50', '+50', '50, 50', '5e1', '0x32', '50.0', `1${'0'.repeat(15)}`])(
    'fails if the response states the length %j, which is not a length',
    async (length) => {
      const { client } = createTestClient(respondWith([[200, { 'content-length': length }, half]]));
      const { error } = await readAll(client.renders.download({ url }, { reconnects: 0 }));
      expect(error).toMatchObject({ name: 'MillraceNetworkError', fault: 'interrupted' });
    },
  );

  it('is not resumed if nothing tells whether the file is the same', async () => {
    const { client } = createTestClient(({ headers }) => {
      if (headers.has('range')) return new Response(half, { status: 206, headers: part('bytes 50-99/100') });
      return new Response(createBody([half], 'breaks'), { headers: chunks });
    });
    const { error } = await readAll(client.renders.download({ url }));
    expect(error).toMatchObject({ fault: 'changed' });
  });
});
