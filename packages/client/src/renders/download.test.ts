import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { letTimePass } from '../testing/let-time-pass.ts';
import { type Answering, bodyOf, clientOf, refused, type Sent } from '../testing/service.ts';
import type { FileHead } from './download.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

const url = 'https://files.example/files/k/a.mp4';

const bytesOf = (length: number) => Uint8Array.from({ length }, (_, at) => at % 251);

interface Way {
  /** After how many bytes each connection breaks off; those that follow do not. */
  readonly cuts?: readonly number[];
  readonly end?: 'breaks' | 'ends' | 'silent';
  readonly etag?: string;
}

/** Serves a file with ranges, as the service does. */
function serving(file: Uint8Array<ArrayBuffer>, { cuts = [], end = 'breaks', etag = 'W/"a"' }: Way = {}): Answering {
  const left = [...cuts];
  return ({ headers, signal }) => {
    const from = Number(/^bytes=(\d+)-$/.exec(headers.get('range') ?? 'bytes=0-')?.[1]);
    const cut = left.shift();
    const part = file.slice(from, cut === undefined ? undefined : from + cut);
    const pieces = [part.slice(0, part.length >> 1), part.slice(part.length >> 1)].filter(({ length }) => length > 0);
    const body = bodyOf(pieces, cut === undefined ? 'ends' : end, signal);
    const length = { 'content-length': String(file.length - from), etag };
    if (!headers.has('range')) return new Response(body, { headers: length });
    const range = `bytes ${from}-${file.length - 1}/${file.length}`;
    return new Response(body, { status: 206, headers: { ...length, 'content-range': range } });
  };
}

/** What a stream brings once all waits are over, and the error that ends it. */
async function read(stream: ReadableStream<Uint8Array>): Promise<{ bytes: Uint8Array; error: unknown }> {
  const pieces: Uint8Array[] = [];
  const reader = stream.getReader();
  const work = (async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) pieces.push(next.value);
  })().catch((error: unknown) => error);
  await letTimePass();
  const error = await work;
  return { bytes: Uint8Array.from(pieces.flatMap((piece) => [...piece])), error };
}

const ranges = (sent: readonly Sent[]) => sent.map(({ headers }) => headers.get('range'));

describe('a download', () => {
  it('brings the file, without keys, and not before it is read', async () => {
    const file = bytesOf(1_000);
    const { client, sent } = clientOf(serving(file));
    const stream = client.renders.download({ url, size: 1_000 });
    expect(sent).toHaveLength(0);
    expect(await read(stream)).toEqual({ bytes: file, error: undefined });
    expect([...(sent[0]?.headers.keys() ?? [])]).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([['breaks'], ['ends'], ['silent']] as const)('goes on from the byte where a connection %s', async (end) => {
    const file = bytesOf(1_000);
    const { client, sent } = clientOf(serving(file, { cuts: [300, 0, 200], end, etag: '"a"' }));
    expect(await read(client.renders.download({ url, size: 1_000 }))).toEqual({ bytes: file, error: undefined });
    expect(ranges(sent)).toEqual([null, 'bytes=300-', 'bytes=300-', 'bytes=500-']);
    expect(sent.map(({ headers }) => headers.get('if-range'))).toEqual([null, '"a"', '"a"', '"a"']);
  });

  it('sends no weak tag as one that could prove anything', async () => {
    const { client, sent } = clientOf(serving(bytesOf(10), { cuts: [3] }));
    await read(client.renders.download(url));
    expect(sent[1]?.headers.has('if-range')).toBe(false);
  });

  it('begins behind what is there already', async () => {
    const file = bytesOf(1_000);
    const { client, sent } = clientOf(serving(file));
    const { bytes } = await read(client.renders.download({ url, size: 1_000 }, { from: 900 }));
    expect(bytes).toEqual(file.slice(900));
    expect(ranges(sent)).toEqual(['bytes=900-']);
    const whole = await read(client.renders.download({ url, size: 1_000 }, { from: 1_000 }));
    expect(whole).toEqual({ bytes: new Uint8Array(), error: undefined });
    expect(sent).toHaveLength(1);
  });

  it('tells of the file, and goes on in another process if it is still the same', async () => {
    const file = bytesOf(1_000);
    const { client, sent } = clientOf(serving(file, { etag: '"a"' }));
    const heads: FileHead[] = [];
    const onHead = (head: FileHead) => heads.push(head);
    const { bytes } = await read(client.renders.download(url, { from: 400, tag: '"a"', onHead }));
    expect(bytes).toEqual(file.slice(400));
    expect(sent[0]?.headers.get('if-range')).toBe('"a"');
    expect(heads).toEqual([{ size: 1_000, tag: '"a"' }]);
    const other = await read(client.renders.download(url, { from: 400, tag: '"b"', onHead }));
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
          const { client } = clientOf(serving(file, { cuts }));
          expect(await read(client.renders.download({ url, size }))).toEqual({ bytes: file, error: undefined });
        },
      ),
      { seed: 8 },
    );
  });

  it('is an error where the connection does not come back', async () => {
    const { client, sent } = clientOf(serving(bytesOf(1_000), { cuts: [100, 0, 0, 0, 0, 0, 0, 0, 0, 0] }));
    const { bytes, error } = await read(client.renders.download({ url, size: 1_000 }, { reconnects: 3 }));
    expect(bytes).toHaveLength(100);
    expect(error).toMatchObject({ name: 'MillraceNetworkError', fault: 'interrupted', retryable: true });
    expect(sent).toHaveLength(4);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is an error where the file has expired', async () => {
    const { client, sent } = clientOf(() => refused(410, 'expired', { retryable: false }));
    expect((await read(client.renders.download(url))).error).toMatchObject({ code: 'expired', statusCode: 410 });
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['has another size', () => serving(bytesOf(900)), 1_000],
    ['comes whole in place of its rest', whole, 1_000],
    ['has another tag', another, 1_000],
    ['goes on somewhere else', elsewhere, 1_000],
  ])('is an error where the file %s', async (_, serve, size) => {
    const { client } = clientOf(serve());
    const { error } = await read(client.renders.download({ url, size }));
    expect(error).toMatchObject({ name: 'MillraceNetworkError', fault: 'changed', retryable: false });
  });

  it('ends with its signal, and when it is cancelled', async () => {
    const ending = new AbortController();
    const reason = new Error('enough');
    const { client } = clientOf(serving(bytesOf(100), { cuts: [50, 50], end: 'silent' }));
    const reader = client.renders.download(url, { signal: ending.signal }).getReader();
    await reader.read();
    ending.abort(reason);
    await expect(reader.read().then(() => reader.read())).rejects.toBe(reason);
    const other = client.renders.download(url).getReader();
    await other.read();
    await other.cancel();
    expect(vi.getTimerCount()).toBe(0);
  });
});

/** A file that can be had whole alone. */
function whole(): Answering {
  const first = serving(bytesOf(1_000), { cuts: [100] });
  return (sent, attempt) => (attempt === 1 ? first(sent, attempt) : new Response(bytesOf(1_000)));
}

function another(): Answering {
  const first = serving(bytesOf(1_000), { cuts: [100] });
  const second = serving(bytesOf(1_000), { etag: 'W/"b"' });
  return (sent, attempt) => (attempt === 1 ? first : second)(sent, attempt);
}

function elsewhere(): Answering {
  const first = serving(bytesOf(1_000), { cuts: [100] });
  const headers = { 'content-range': 'bytes 99-999/1000', etag: 'W/"a"' };
  return (sent, attempt) =>
    attempt === 1 ? first(sent, attempt) : new Response(bytesOf(901), { status: 206, headers });
}
