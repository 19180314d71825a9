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
  /** After how many bytes each connection breaks off; those that follow do not. */
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

/** What a stream brings once all waits are over, and the error that ends it. */
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
  it('brings the file, without keys, and not before it is read', async () => {
    const file = bytesOf(1_000);
    const { client, requests } = createTestClient(serveFile(file));
    const stream = client.renders.download({ url, size: 1_000 });
    expect(requests).toHaveLength(0);
    expect(await readAll(stream)).toEqual({ bytes: file, error: undefined });
    expect([...(requests[0]?.headers.keys() ?? [])]).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([['breaks'], ['ends'], ['silent']] as const)('goes on from the byte where a connection %s', async (end) => {
    const file = bytesOf(1_000);
    const { client, requests } = createTestClient(serveFile(file, { cuts: [300, 0, 200], end, etag: '"a"' }));
    expect(await readAll(client.renders.download({ url, size: 1_000 }))).toEqual({ bytes: file, error: undefined });
    expect(ranges(requests)).toEqual([null, 'bytes=300-', 'bytes=300-', 'bytes=500-']);
    expect(requests.map(({ headers }) => headers.get('if-range'))).toEqual([null, '"a"', '"a"', '"a"']);
  });

  it('sends no weak tag as one that could prove anything', async () => {
    const { client, requests } = createTestClient(serveFile(bytesOf(10), { cuts: [3] }));
    await readAll(client.renders.download(url));
    expect(requests[1]?.headers.has('if-range')).toBe(false);
  });

  it('begins behind what is there already', async () => {
    const file = bytesOf(1_000);
    const { client, requests } = createTestClient(serveFile(file));
    const { bytes } = await readAll(client.renders.download({ url, size: 1_000 }, { from: 900 }));
    expect(bytes).toEqual(file.slice(900));
    expect(ranges(requests)).toEqual(['bytes=900-']);
    const withoutRanges = await readAll(client.renders.download({ url, size: 1_000 }, { from: 1_000 }));
    expect(withoutRanges).toEqual({ bytes: new Uint8Array(), error: undefined });
    expect(requests).toHaveLength(1);
  });

  it('tells of the file, and goes on in another process if it is still the same', async () => {
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

  it('is the file to the byte, wherever connections break', async () => {
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

  it('is an error where the connection does not come back', async () => {
    const { client, requests } = createTestClient(
      serveFile(bytesOf(1_000), { cuts: [100, 0, 0, 0, 0, 0, 0, 0, 0, 0] }),
    );
    const { bytes, error } = await readAll(client.renders.download({ url, size: 1_000 }, { reconnects: 3 }));
    expect(bytes).toHaveLength(100);
    expect(error).toMatchObject({ name: 'MillraceNetworkError', fault: 'interrupted', retryable: true });
    expect(requests).toHaveLength(4);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is an error where the file has expired', async () => {
    const { client, requests } = createTestClient(() => errorResponse(410, 'expired', { retryable: false }));
    expect((await readAll(client.renders.download(url))).error).toMatchObject({ code: 'expired', statusCode: 410 });
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['has another size', () => serveFile(bytesOf(900)), 1_000],
    ['comes whole in place of its rest', withoutRanges, 1_000],
    ['has another tag', withOtherTag, 1_000],
    ['goes on somewhere else', withOtherRange, 1_000],
  ])('is an error where the file %s', async (_, serve, size) => {
    const { client } = createTestClient(serve());
    const { error } = await readAll(client.renders.download({ url, size }));
    expect(error).toMatchObject({ name: 'MillraceNetworkError', fault: 'changed', retryable: false });
  });

  it('ends with its signal, and when it is cancelled', async () => {
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

/** A file that can be had whole alone. */
function withoutRanges(): RequestHandler {
  const first = serveFile(bytesOf(1_000), { cuts: [100] });
  return (request, attempt) => (attempt === 1 ? first(request, attempt) : new Response(bytesOf(1_000)));
}

function withOtherTag(): RequestHandler {
  const first = serveFile(bytesOf(1_000), { cuts: [100] });
  const second = serveFile(bytesOf(1_000), { etag: 'W/"b"' });
  return (request, attempt) => (attempt === 1 ? first : second)(request, attempt);
}

function withOtherRange(): RequestHandler {
  const first = serveFile(bytesOf(1_000), { cuts: [100] });
  const headers = { 'content-range': 'bytes 99-999/1000', etag: 'W/"a"' };
  return (request, attempt) =>
    attempt === 1 ? first(request, attempt) : new Response(bytesOf(901), { status: 206, headers });
}
