import { createCipheriv, createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import ipaddr from 'ipaddr.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseJob } from '../../contract/parse-job.ts';
import { createEgress, type Egress } from '../../egress/egress.ts';
import { downloadInputs } from './download.ts';
import { openTimeBudgets } from './input-source.ts';
import { type Behaviour, rangeOf, startOrigin, withoutRanges, withRanges } from './testing.ts';

const MIB = 1024 * 1024;

/** Bytes that differ everywhere, so that a piece in the wrong place is seen. */
function body(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32BE(Math.imul(at, 2_654_435_761) >>> 0, at);
  return bytes;
}

let directory: string;
let egress: Egress;
let origin: Awaited<ReturnType<typeof startOrigin>>;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-download-'));
  egress = createEgress({ EGRESS_ALLOW: [ipaddr.parseCIDR('127.0.0.1/32')], EGRESS_CONNECT_TO: [] });
});
afterEach(async () => {
  await egress.close();
  await origin.close();
  await rm(directory, { recursive: true, force: true });
});

async function download(behaviours: Record<string, Behaviour>, inputs: Record<string, unknown>[], job = {}) {
  origin = await startOrigin(behaviours);
  const progress: number[] = [];
  const parsed = parseJob({
    id: 'job',
    inputs: inputs.map((input) => ({ ext: 'mp4', ...input, url: `${origin.url}${input.url}` })),
    output: { ext: 'mp4' },
    operation: { type: 'join_streams' },
    ...job,
  });
  const fetched = await downloadInputs(parsed, {
    egress,
    directory,
    signal: new AbortController().signal,
    budgets: openTimeBudgets(parsed),
    pause: async () => undefined,
    onProgress: (fraction) => progress.push(fraction),
  });
  const items = fetched.flatMap(({ files }) => files);
  const files = await Promise.all(items.flatMap(({ parts }) => parts).map((path) => readFile(path)));
  return { fetched: items, files, progress };
}

const hash = (bytes: Buffer | undefined) =>
  createHash('sha256')
    .update(bytes ?? '')
    .digest('hex');

describe('a source with ranges', () => {
  test.each(['header', 'query'])('is fetched in parallel parts (%s)', async (type) => {
    const bytes = body(9 * MIB + 17);
    const serve: Behaviour = (request, response) => {
      const [, range] = /[?&]range=([\d-]+)/.exec(request.url ?? '') ?? [];
      if (range !== undefined) {
        const [from = 0, to = 0] = range.split('-').map(Number);
        const part = bytes.subarray(from, to + 1);
        response.writeHead(200, { 'content-length': part.length, etag: '"1"' }).end(part);
      } else withRanges(bytes)(request, response);
    };
    const { files, fetched, progress } = await download({ '/a': serve }, [
      { url: '/a?sig=a%2Fb', chunkDownload: { type, concurrency: 5 } },
    ]);
    expect(hash(files[0])).toBe(hash(bytes));
    expect(fetched[0]?.bytes).toBe(bytes.length);
    expect(origin.seen.length).toBeGreaterThan(5);
    expect(origin.seen.every(({ url }) => url.startsWith('/a?sig=a%2Fb'))).toBe(true);
    expect(progress.at(-1)).toBe(1);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  });

  test('is resumed at the byte where a connection broke', async () => {
    const bytes = body(3 * MIB);
    let cuts = 0;
    const serve = withRanges(bytes, () => (cuts++ < 3 ? 100_000 : undefined));
    const { files } = await download({ '/a': serve }, [{ url: '/a', chunkDownload: { concurrency: 1 } }]);
    expect(hash(files[0])).toBe(hash(bytes));
    expect(origin.seen.map(({ range }) => range).slice(0, 4)).toEqual([
      'bytes=0-1048575',
      'bytes=100000-1048575',
      'bytes=200000-1048575',
      'bytes=300000-1048575',
    ]);
  });

  test('that always breaks at the same byte is incomplete', async () => {
    const bytes = body(MIB);
    const serve = withRanges(bytes, (from) => Math.max(0, 500_000 - from));
    await expect(download({ '/a': serve }, [{ url: '/a' }])).rejects.toMatchObject({
      code: 'download_incomplete',
      message: expect.stringContaining('byte 500000 of 1048576'),
    });
  });

  test('that changes on the way is begun again', async () => {
    const [first, second] = [body(4 * MIB), body(4 * MIB).reverse()];
    let requests = 0;
    const serve: Behaviour = (request, response) => {
      requests += 1;
      const [bytes, etag] = requests < 3 ? [first, '"1"'] : [second, '"2"'];
      const { from, to } = rangeOf(request, bytes.length) ?? { from: 0, to: bytes.length - 1 };
      response.writeHead(206, {
        etag,
        'content-range': `bytes ${from}-${to}/${bytes.length}`,
        'content-length': to - from + 1,
      });
      response.end(bytes.subarray(from, to + 1));
    };
    const { files } = await download({ '/a': serve }, [{ url: '/a', chunkDownload: { concurrency: 1 } }]);
    expect(hash(files[0])).toBe(hash(second));
  });

  test('that sends another range is fetched as one stream', async () => {
    const bytes = body(4 * MIB);
    const serve: Behaviour = (request, response) => {
      if (request.headers.range === undefined || request.headers.range.startsWith('bytes=0-'))
        withRanges(bytes)(request, response);
      else
        response
          .writeHead(206, { 'content-range': `bytes 0-9/${bytes.length}`, 'content-length': 10 })
          .end(bytes.subarray(0, 10));
    };
    const { files } = await download({ '/a': serve }, [{ url: '/a' }]);
    expect(hash(files[0])).toBe(hash(bytes));
  });
});

describe('a source without ranges', () => {
  test('is fetched as one stream', async () => {
    const bytes = body(3 * MIB);
    const { files } = await download({ '/a': withoutRanges(bytes) }, [{ url: '/a' }]);
    expect(hash(files[0])).toBe(hash(bytes));
    expect(origin.seen).toHaveLength(1);
  });

  test('is begun again where a connection broke', async () => {
    const bytes = body(3 * MIB);
    let cuts = 0;
    const { files } = await download({ '/a': withoutRanges(bytes, () => (cuts++ < 1 ? 70_000 : undefined)) }, [
      { url: '/a' },
    ]);
    expect(hash(files[0])).toBe(hash(bytes));
  });

  test('that tells no length is taken to its end', async () => {
    const bytes = body(2 * MIB);
    const serve: Behaviour = (_request, response) => {
      response.writeHead(200).end(bytes);
    };
    const { files } = await download({ '/a': serve }, [{ url: '/a' }]);
    expect(hash(files[0])).toBe(hash(bytes));
  });

  test('that always breaks is incomplete', async () => {
    await expect(download({ '/a': withoutRanges(body(MIB), () => 1000) }, [{ url: '/a' }])).rejects.toMatchObject({
      code: 'download_incomplete',
    });
  });
});

describe('a coded answer', () => {
  const coded =
    (encoding: string, bytes: Buffer): Behaviour =>
    (_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding, 'content-length': bytes.length }).end(bytes);
    };

  // At its best, which is the default, it takes seconds.
  const quickBrotli = (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });

  test.each([
    ['gzip', gzipSync],
    ['br', quickBrotli],
    ['deflate', deflateSync],
  ] as const)('in %s is decoded', async (encoding, compress) => {
    const bytes = body(3 * MIB);
    const { files, fetched } = await download({ '/a': coded(encoding, compress(bytes)) }, [{ url: '/a' }]);
    expect(hash(files[0])).toBe(hash(bytes));
    expect(fetched[0]?.bytes).toBe(bytes.length);
  });

  test('that becomes very large is stopped at the limit', async () => {
    const limits = { inputSize: { perInput: 5 * MIB } };
    const bomb = gzipSync(Buffer.alloc(300 * MIB));
    await expect(download({ '/a': coded('gzip', bomb) }, [{ url: '/a' }], { limits })).rejects.toMatchObject({
      code: 'input_too_large',
    });
  });

  test('that breaks off is incomplete', async () => {
    const bytes = gzipSync(body(MIB)).subarray(0, -100);
    await expect(download({ '/a': coded('gzip', bytes) }, [{ url: '/a' }])).rejects.toMatchObject({
      code: 'download_incomplete',
    });
  });

  test('in an unknown coding is refused', async () => {
    await expect(download({ '/a': coded('zzz', body(10)) }, [{ url: '/a' }])).rejects.toMatchObject({
      code: 'source_unsupported',
    });
  });
});

describe('fails with a readable reason', () => {
  test.each([401, 403, 404, 410])('when the source answers %i', async (status) => {
    const serve: Behaviour = (_request, response) => {
      response.writeHead(status).end();
    };
    await expect(download({ '/a': serve }, [{ url: '/a' }])).rejects.toMatchObject({
      code: 'source_refused',
      message: expect.stringContaining(`answered ${status}`),
    });
    expect(origin.seen).toHaveLength(1);
  });

  test('when the source refuses in the middle', async () => {
    const bytes = body(8 * MIB);
    const serve: Behaviour = (request, response) => {
      if ((rangeOf(request, bytes.length)?.to ?? 0) > 4 * MIB) response.writeHead(403).end();
      else withRanges(bytes)(request, response);
    };
    await expect(download({ '/a': serve }, [{ url: '/a' }])).rejects.toMatchObject({ code: 'source_refused' });
  });

  test('after a source that is down for good was tried a few times', async () => {
    const serve: Behaviour = (_request, response) => {
      response.writeHead(503).end();
    };
    await expect(download({ '/a': serve }, [{ url: '/a' }])).rejects.toMatchObject({ code: 'source_unreachable' });
    expect(origin.seen).toHaveLength(6);
  });

  test('when the source is announced too large', async () => {
    const limits = { inputSize: { perInput: MIB } };
    await expect(download({ '/a': withRanges(body(MIB + 1)) }, [{ url: '/a' }], { limits })).rejects.toMatchObject({
      code: 'input_too_large',
    });
  });

  test('when the source announces more than numbers are exact for', async () => {
    let sent = 0;
    const serve: Behaviour = (_request, response) => {
      response.writeHead(200, { 'content-length': `${2 ** 60}` });
      const pour = () => {
        while (response.write(Buffer.alloc(65_536))) sent += 65_536;
      };
      response.on('drain', pour);
      pour();
    };
    await expect(download({ '/a': serve }, [{ url: '/a' }])).rejects.toMatchObject({ code: 'input_too_large' });
    expect(sent).toBeLessThan(100 * MIB);
  });

  test('when the source turns out too large', async () => {
    const serve: Behaviour = (_request, response) => {
      response.writeHead(200);
      const pour = () => {
        while (response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', pour);
      pour();
    };
    const limits = { inputSize: { perInput: 10 * MIB } };
    await expect(download({ '/a': serve }, [{ url: '/a' }], { limits })).rejects.toMatchObject({
      code: 'input_too_large',
    });
  });

  test('when all inputs together are too large', async () => {
    const limits = { inputSize: { total: 3 * MIB } };
    const behaviours = { '/a': withRanges(body(2 * MIB)), '/b': withRanges(body(2 * MIB)) };
    await expect(download(behaviours, [{ url: '/a' }, { url: '/b' }], { limits })).rejects.toMatchObject({
      code: 'input_too_large',
      message: expect.stringContaining('together'),
    });
  });

  test('when the source is slower than its timeout', async () => {
    const serve: Behaviour = (_request, response) => {
      response.writeHead(200, { 'content-length': 1000 }).write('a');
    };
    await expect(download({ '/a': serve }, [{ url: '/a', timeout: 1000 }])).rejects.toMatchObject({
      code: 'download_timeout',
      message: expect.stringContaining('Input 1'),
    });
  });

  test('when a web page comes instead of media', async () => {
    const page: Behaviour = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html></html>');
    };
    await expect(download({ '/a': page }, [{ url: '/a' }])).rejects.toMatchObject({
      code: 'source_refused',
      message: expect.stringContaining('web page'),
    });
    await origin.close();
    expect((await download({ '/a': page }, [{ url: '/a', ext: 'html' }])).files[0]?.toString()).toBe('<html></html>');
  });

  test('when it is redirected inside', async () => {
    const serve: Behaviour = (_request, response) => {
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end();
    };
    await expect(download({ '/a': serve }, [{ url: '/a' }])).rejects.toMatchObject({ code: 'address_refused' });
  });
});

test("sends the caller's method, headers and body", async () => {
  const bodies: string[] = [];
  const serve: Behaviour = (request, response) => {
    request.on('data', (chunk) => bodies.push(String(chunk)));
    request.on('end', () => response.writeHead(200).end(`${request.method}`));
  };
  const { files } = await download({ '/a': serve }, [
    {
      url: '/a',
      requestOptions: { method: 'POST', headers: { Cookie: 'a=1', Referer: 'https://a.example/' }, body: 'give' },
    },
  ]);
  expect(files[0]?.toString()).toBe('POST');
  expect(bodies).toEqual(['give']);
  expect(origin.seen[0]?.headers).toMatchObject({ cookie: 'a=1', referer: 'https://a.example/' });
});

describe('an HLS playlist', () => {
  const playlist = (lines: string[], ended = true) =>
    ['#EXTM3U', '#EXT-X-TARGETDURATION:4', ...lines, ...(ended ? ['#EXT-X-ENDLIST'] : [])].join('\n');
  const text =
    (content: string): Behaviour =>
    (_request, response) => {
      response.writeHead(200).end(content);
    };
  const segments = Array.from({ length: 12 }, (_, index) => body(200_000 + index * 1000).fill(index, 0, 1000));
  const names = segments.map((_, index) => `/seg-${index}`);
  const media = text(playlist(names.flatMap((name) => ['#EXTINF:4,', name])));
  const whole = Buffer.concat(segments);
  const served = (serve: (bytes: Buffer, index: number) => Behaviour) =>
    Object.fromEntries(segments.map((bytes, index) => [names[index] ?? '', serve(bytes, index)]));

  test('becomes one file, its segments in order', async () => {
    const behaviours = { '/a': media, ...served((bytes) => withRanges(bytes)) };
    const { files, fetched, progress } = await download(behaviours, [{ url: '/a', ext: 'm3u8' }]);
    expect(hash(files[0])).toBe(hash(whole));
    expect(fetched[0]).toMatchObject({ bytes: whole.length, duration: 48 });
    expect(progress.at(-1)).toBeCloseTo(1);
  });

  test('of playlists gives the best quality', async () => {
    const master = text(
      ['#EXTM3U', '#EXT-X-STREAM-INF:BANDWIDTH=100', '/low', '#EXT-X-STREAM-INF:BANDWIDTH=900', '/a'].join('\n'),
    );
    const behaviours = { '/m': master, '/a': media, ...served((bytes) => withRanges(bytes)) };
    const { files } = await download(behaviours, [{ url: '/m', ext: 'm3u8' }]);
    expect(hash(files[0])).toBe(hash(whole));
  });

  test('survives segments without length, without ranges, and broken connections', async () => {
    let cuts = 0;
    const behaviours = served((bytes, index) => {
      if (index % 3 === 0) return (_request, response) => void response.writeHead(200).end(bytes);
      if (index % 3 === 1) return withoutRanges(bytes, () => (cuts++ < 2 ? 5000 : undefined));
      return withRanges(bytes, (from) => (from === 0 ? 70_000 : undefined));
    });
    const { files } = await download({ '/a': media, ...behaviours }, [{ url: '/a', ext: 'm3u8' }]);
    expect(hash(files[0])).toBe(hash(whole));
  });

  test('with a segment that is gone fails, naming it', async () => {
    const behaviours = {
      '/a': media,
      ...served((bytes) => withRanges(bytes)),
      '/seg-7': undefined as unknown as Behaviour,
    };
    await expect(download(behaviours, [{ url: '/a', ext: 'm3u8' }])).rejects.toMatchObject({
      code: 'source_refused',
      message: expect.stringContaining('Segment 8 of input 1'),
    });
  });

  test.each([
    ['a live stream', playlist(['#EXTINF:4,', '/seg-0'], false), 'live'],
    ['one without segments', playlist([]), 'without segments'],
    [
      'one of a DRM system',
      playlist([
        '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://k",KEYFORMAT="com.apple.streamingkeydelivery"',
        '#EXTINF:4,',
        '/seg-0',
      ]),
      'DRM',
    ],
    ['a page', '<html></html>', 'not an HLS playlist'],
  ])('that is %s is refused', async (_name, content, reason) => {
    await expect(download({ '/a': text(content) }, [{ url: '/a', ext: 'm3u8' }])).rejects.toMatchObject({
      code: 'source_unsupported',
      message: expect.stringContaining(reason),
    });
  });

  describe('encrypted with AES-128', () => {
    const key = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
    const explicit = Buffer.from('0123456789abcdef0123456789abcdef', 'hex');
    const derived = (sequence: number) => Buffer.from(sequence.toString(16).padStart(32, '0'), 'hex');
    const encrypt = (bytes: Buffer, iv: Buffer) => {
      const cipher = createCipheriv('aes-128-cbc', key, iv);
      return Buffer.concat([cipher.update(bytes), cipher.final()]);
    };
    const keyFile = { '/k': ((_request, response) => void response.writeHead(200).end(key)) as Behaviour };
    const lines = names.flatMap((name) => ['#EXTINF:4,', name]);

    test.each([
      ['an explicit vector', `,IV=0x${explicit.toString('hex')}`, () => explicit],
      ['vectors from the sequence', '', (index: number) => derived(7 + index)],
    ])('is decrypted with %s', async (_name, attribute, vector) => {
      const content = playlist(['#EXT-X-MEDIA-SEQUENCE:7', `#EXT-X-KEY:METHOD=AES-128,URI="/k"${attribute}`, ...lines]);
      // Every other segment breaks once in the middle of a block.
      const behaviours = served((bytes, index) =>
        withRanges(encrypt(bytes, vector(index)), (from) => (from === 0 && index % 2 === 0 ? 70_001 : undefined)),
      );
      const { files, fetched } = await download({ '/a': text(content), ...keyFile, ...behaviours }, [
        { url: '/a', ext: 'm3u8' },
      ]);
      expect(hash(files[0])).toBe(hash(whole));
      expect(fetched[0]?.bytes).toBe(whole.length);
      expect(origin.seen.filter(({ url }) => url === '/k')).toHaveLength(1);
    });

    test('with a key that does not fit fails, naming the segment', async () => {
      const content = playlist(['#EXT-X-KEY:METHOD=AES-128,URI="/k"', ...lines]);
      const behaviours = served((bytes) => withRanges(bytes.subarray(0, 1600)));
      await expect(
        download({ '/a': text(content), ...keyFile, ...behaviours }, [{ url: '/a', ext: 'm3u8' }]),
      ).rejects.toMatchObject({
        code: 'source_unsupported',
        message: expect.stringMatching(/Segment \d+ .*decrypted/),
      });
    });

    test('with a key of the wrong size fails', async () => {
      const content = playlist(['#EXT-X-KEY:METHOD=AES-128,URI="/k"', ...lines]);
      const short: Behaviour = (_request, response) => void response.writeHead(200).end('short');
      await expect(download({ '/a': text(content), '/k': short }, [{ url: '/a', ext: 'm3u8' }])).rejects.toMatchObject({
        code: 'source_unsupported',
        message: expect.stringContaining('5 bytes instead of 16'),
      });
    });
  });

  test('of byte ranges with an initialisation section becomes one file, the section first', async () => {
    const head = body(1000);
    const media = playlist([
      '#EXT-X-MAP:URI="/all",BYTERANGE="1000@0"',
      ...segments.flatMap(({ length }, index) => [
        '#EXTINF:4,',
        `#EXT-X-BYTERANGE:${length}${index === 0 ? '@1000' : ''}`,
        '/all',
      ]),
    ]);
    const { files, fetched } = await download({ '/a': text(media), '/all': withRanges(Buffer.concat([head, whole])) }, [
      { url: '/a', ext: 'm3u8' },
    ]);
    expect(hash(files[0])).toBe(hash(Buffer.concat([head, whole])));
    expect(fetched[0]?.parts).toEqual([expect.stringMatching(/\.mp4$/)]);
  });

  test('that changes its initialisation section becomes several parts', async () => {
    const [one, two] = [body(100), body(200)];
    const content = playlist([
      ...['#EXT-X-MAP:URI="/one"', '#EXTINF:4,', '/seg-0', '#EXTINF:4,', '/seg-1'],
      ...['#EXT-X-DISCONTINUITY', '#EXT-X-MAP:URI="/two"', '#EXTINF:4,', '/seg-2'],
    ]);
    const behaviours = { '/a': text(content), '/one': withRanges(one), '/two': withRanges(two) };
    const { files, fetched } = await download({ ...behaviours, ...served((bytes) => withRanges(bytes)) }, [
      { url: '/a', ext: 'm3u8' },
    ]);
    const parts = [
      [one, ...segments.slice(0, 2)],
      [two, ...segments.slice(2, 3)],
    ].map((list) => Buffer.concat(list));
    expect(files.map(hash)).toEqual(parts.map(hash));
    expect(fetched).toMatchObject([{ bytes: Buffer.concat(parts).length, duration: 12 }]);
  });

  test('whose sound is in a playlist of its own becomes two files', async () => {
    const master = text(
      [
        '#EXTM3U',
        '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="other",URI="/nothing"',
        '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="main",DEFAULT=YES,URI="/sound"',
        '#EXT-X-STREAM-INF:BANDWIDTH=900,AUDIO="a"',
        '/a',
      ].join('\n'),
    );
    const sound = text(playlist(['#EXTINF:40,', '/seg-3']));
    const behaviours = { '/m': master, '/a': media, '/sound': sound, ...served((bytes) => withRanges(bytes)) };
    const { files, fetched } = await download(behaviours, [{ url: '/m', ext: 'm3u8' }]);
    expect(files.map(hash)).toEqual([hash(whole), hash(segments[3])]);
    expect(fetched.map(({ duration }) => duration)).toEqual([48, 40]);
  });

  test('that leads inside is refused', async () => {
    const inside = text(playlist(['#EXTINF:4,', 'http://10.0.0.1/seg.ts']));
    await expect(download({ '/a': inside }, [{ url: '/a', ext: 'm3u8' }])).rejects.toMatchObject({
      code: 'address_refused',
    });
  });
});
