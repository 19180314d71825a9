import { describe, expect, test } from 'vitest';
import { createBytes, download, hash, MIB } from './testing/downloads.ts';
import { type ReceivedRequest, type RequestHandler, rangeOf, serveRanges } from './testing/origin.ts';

const bytes = createBytes(3 * MIB + 17);

/** How a server answers a range. */
interface Answer {
  /** Number of bytes that it sends at most. */
  readonly limit?: number;
  /** Number of bytes before and after the range that it sends, too. */
  readonly before?: number;
  readonly after?: number;
  /** Total in `Content-Range`. */
  readonly total?: string;
  readonly etag?: string;
}

/** Returns a handler that answers ranges freely, as RFC 9110, section 15.3.7, allows. */
function answerRanges(answer: (request: ReceivedRequest) => Answer): RequestHandler {
  return (request, response) => {
    const { headers, url = '' } = request;
    const { limit = Infinity, before = 0, after = 0, total, etag } = answer({ url, headers, range: headers.range });
    const range = rangeOf(request, bytes.length);
    if (range === undefined) return serveRanges(bytes)(request, response);
    const from = Math.max(0, range.from - before);
    const to = Math.min(range.to + after, range.from + limit - 1, bytes.length - 1);
    response.writeHead(206, {
      'content-length': to + 1 - from,
      'content-range': `bytes ${from}-${to}/${total ?? bytes.length}`,
      ...(etag === undefined ? {} : { etag }),
    });
    response.end(bytes.subarray(from, to + 1));
  };
}

const oneConnection = [{ url: '/a', chunkDownload: { concurrency: 1 } }];

describe('a server that answers a range', () => {
  test.each([
    ['with a shorter one', { limit: 300_000 }],
    ['with a longer one', { after: 5000 }],
    ['with an earlier and longer one', { before: 70, after: 5000 }],
    ['without the total', { total: '*' }],
    ['with a shorter one, without the total', { limit: 300_000, total: '*' }],
  ])('%s sends the whole file', async (_how, answer) => {
    for (const concurrency of [1, 4]) {
      const inputs = [{ url: '/a', chunkDownload: { concurrency } }];
      const { files, fetchedFiles } = await download({ '/a': answerRanges(() => answer) }, inputs);
      expect(hash(files[0])).toBe(hash(bytes));
      expect(fetchedFiles[0]?.bytes).toBe(bytes.length);
    }
  });

  test('with a shorter one is asked for the rest', async () => {
    const { requestLog } = await download({ '/a': answerRanges(() => ({ limit: 500_000 })) }, oneConnection);
    expect(requestLog.slice(0, 4).map(({ range }) => range)).toEqual([
      'bytes=0-1048575',
      'bytes=500000-1048575',
      'bytes=1000000-1048575',
      'bytes=1048576-2097151',
    ]);
  });

  test('with the tag of another backend each time is asked for the whole file', async () => {
    let count = 0;
    const serve = answerRanges(() => {
      count += 1;
      return { etag: `"${count}"` };
    });
    const { files, requestLog } = await download({ '/a': serve }, oneConnection);
    expect(hash(files[0])).toBe(hash(bytes));
    expect(requestLog.at(-1)?.range).toBeUndefined();
  });

  /** Backends with different tags that do not state the total. */
  const backends = () => {
    let count = 0;
    return answerRanges(() => {
      count += 1;
      return { etag: `"${count}"`, total: '*' };
    });
  };

  test('without the total, with the tag of another backend each time, is asked for the whole file', async () => {
    const { files, requestLog } = await download({ '/a': backends() }, oneConnection);
    expect(hash(files[0])).toBe(hash(bytes));
    expect(requestLog.at(-1)?.range).toBeUndefined();
  });

  test('always without the total, even to no range, fails', async () => {
    const serve: RequestHandler = (_request, response) => {
      response.writeHead(206, { 'content-length': 1000, 'content-range': 'bytes 0-999/*' });
      response.end(bytes.subarray(0, 1000));
    };
    await expect(download({ '/a': serve }, oneConnection)).rejects.toMatchObject({ code: 'download_incomplete' });
  });

  test('with a length that contradicts it fails', async () => {
    const serve: RequestHandler = (_request, response) => {
      response.writeHead(206, { 'content-length': 2000, 'content-range': `bytes 0-999/${bytes.length}` });
      response.end(bytes.subarray(0, 2000));
    };
    await expect(download({ '/a': serve }, oneConnection)).rejects.toMatchObject({ code: 'download_incomplete' });
  });
});

test.each([
  ['header', 1],
  ['header', 4],
  ['query', 2],
] as const)(
  'a part with status 200 and its range never passes for the whole file (%s, %i)',
  async (type, concurrency) => {
    const serve: RequestHandler = (request, response) => {
      const [, from = '0', to = '999999999'] = /[=](\d+)-(\d*)$/.exec(request.headers.range ?? request.url ?? '') ?? [];
      const end = Math.min(Number(from) + 400_000, to === '' ? bytes.length : Number(to) + 1, bytes.length);
      const part = bytes.subarray(Number(from), end);
      const place = `bytes ${from}-${end - 1}/${bytes.length}`;
      response.writeHead(200, { 'content-length': part.length, 'content-range': place }).end(part);
    };
    const { files } = await download({ '/a': serve }, [{ url: '/a', chunkDownload: { type, concurrency } }]);
    expect(hash(files[0])).toBe(hash(bytes));
  },
);

test('a file whose date changes while its weak tag stays the same is of one version', async () => {
  const other = createBytes(bytes.length).fill(1);
  let count = 0;
  const serve: RequestHandler = (request, response) => {
    count += 1;
    const version = count > 2 ? other : bytes;
    const { from, to } = rangeOf(request, bytes.length) ?? { from: 0, to: bytes.length - 1 };
    response.writeHead(request.headers.range === undefined ? 200 : 206, {
      ...(request.headers.range === undefined ? {} : { 'content-range': `bytes ${from}-${to}/${bytes.length}` }),
      etag: 'W/"1"',
      'last-modified': `Sun, 01 Nov 2026 10:00:0${count > 2 ? 2 : 1} GMT`,
    });
    response.end(version.subarray(from, to + 1));
  };
  const { files } = await download({ '/a': serve }, oneConnection);
  expect(hash(files[0])).toBe(hash(other));
});

test('a range parameter is not used without the length of the file', async () => {
  const serve: RequestHandler = (request, response) => {
    const [, from, to] = /[?&]range=(\d+)-(\d+)/.exec(request.url ?? '') ?? [];
    response.writeHead(200).end(from === undefined ? bytes : bytes.subarray(Number(from), Number(to) + 1));
  };
  const { files } = await download({ '/a': serve }, [{ url: '/a', chunkDownload: { type: 'query' } }]);
  expect(hash(files[0])).toBe(hash(bytes));
});

test('a part that is empty when it is asked for again is retried only a few times', async () => {
  const requestLog: ReceivedRequest[] = [];
  const serve: RequestHandler = (request, response) => {
    const range = /range=(\d+)-(\d+)/.exec(request.url ?? '');
    if (range === null) return response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
    const from = Number(range[1]);
    // The link expires after half of the second part.
    const isHalf = from % MIB === 0;
    response.writeHead(200, { 'content-length': isHalf ? MIB / 2 : 0 });
    response.end(isHalf ? bytes.subarray(from, from + MIB / 2) : undefined);
  };
  const inputs = [{ url: '/a', chunkDownload: { type: 'query', size: MIB, concurrency: 1 } }] as const;
  await expect(download({ '/a': serve }, inputs, {}, requestLog)).rejects.toMatchObject({
    code: 'download_incomplete',
    message: 'Input 1 is incomplete: the response from byte 1572864 onwards is empty. Start the same job again.',
  });
  expect(requestLog.length).toBeLessThan(30);
});

test('a server that sends the whole file for each range sends it only a few times', async () => {
  let sent = 0;
  const serve: RequestHandler = (_request, response) => {
    sent += 1;
    response.writeHead(206, {
      'content-range': `bytes 0-${bytes.length - 1}/${bytes.length}`,
      'content-length': bytes.length,
    });
    response.end(bytes);
  };
  const inputs = [{ url: '/a', chunkDownload: { size: 262_144, concurrency: 2 } }];
  const { files } = await download({ '/a': serve }, inputs);
  expect(hash(files[0])).toBe(hash(bytes));
  expect(sent).toBeLessThan(14);
});
