import { describe, expect, test } from 'vitest';
import { createBytes, download, hash, MIB } from './testing/downloads.ts';
import { type RequestHandler, rangeOf, serveRanges, serveWhole } from './testing/origin.ts';

describe('a source with ranges', () => {
  test.each(['header', 'query'])('is fetched in parallel parts (%s)', async (type) => {
    const bytes = createBytes(9 * MIB + 17);
    const serve: RequestHandler = (request, response) => {
      const [, range] = /[?&]range=([\d-]+)/.exec(request.url ?? '') ?? [];
      if (range !== undefined) {
        const [from = 0, to = 0] = range.split('-').map(Number);
        const part = bytes.subarray(from, to + 1);
        response.writeHead(200, { 'content-length': part.length, etag: '"1"' }).end(part);
      } else serveRanges(bytes)(request, response);
    };
    const { files, fetchedFiles, progress, requestLog } = await download({ '/a': serve }, [
      { url: '/a?sig=a%2Fb', chunkDownload: { type, concurrency: 5 } },
    ]);
    expect(hash(files[0])).toBe(hash(bytes));
    expect(fetchedFiles[0]).toMatchObject({ bytes: bytes.length, parts: [{ hasStatedSize: true }] });
    expect(requestLog.length).toBeGreaterThan(5);
    expect(requestLog.every(({ url }) => url.startsWith('/a?sig=a%2Fb'))).toBe(true);
    expect(progress.at(-1)).toBe(1);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  });

  test('is resumed at the byte where a connection failed', async () => {
    const bytes = createBytes(3 * MIB);
    let cuts = 0;
    const serve = serveRanges(bytes, () => (cuts++ < 3 ? 100_000 : undefined));
    const { files, requestLog } = await download({ '/a': serve }, [{ url: '/a', chunkDownload: { concurrency: 1 } }]);
    expect(hash(files[0])).toBe(hash(bytes));
    expect(requestLog.map(({ range }) => range).slice(0, 4)).toEqual([
      'bytes=0-1048575',
      'bytes=100000-1048575',
      'bytes=200000-1048575',
      'bytes=300000-1048575',
    ]);
  });

  test('that always fails at the same byte is incomplete', async () => {
    const bytes = createBytes(MIB);
    const serve = serveRanges(bytes, (from) => Math.max(0, 500_000 - from));
    await expect(download({ '/a': serve }, [{ url: '/a' }])).rejects.toMatchObject({
      code: 'download_incomplete',
      message: expect.stringContaining('byte 500000 of 1048576'),
    });
  });

  test('that changes during the download is restarted', async () => {
    const [first, second] = [createBytes(4 * MIB), createBytes(4 * MIB).reverse()];
    let requests = 0;
    const serve: RequestHandler = (request, response) => {
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

  test('that sends a different range is fetched as one stream', async () => {
    const bytes = createBytes(4 * MIB);
    const serve: RequestHandler = (request, response) => {
      if (request.headers.range === undefined || request.headers.range.startsWith('bytes=0-'))
        serveRanges(bytes)(request, response);
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
    const bytes = createBytes(3 * MIB);
    const { files, fetchedFiles, requestLog } = await download({ '/a': serveWhole(bytes) }, [{ url: '/a' }]);
    expect(hash(files[0])).toBe(hash(bytes));
    expect(fetchedFiles[0]?.parts).toMatchObject([{ hasStatedSize: true }]);
    expect(requestLog).toHaveLength(1);
  });

  test('is restarted after a connection failed', async () => {
    const bytes = createBytes(3 * MIB);
    let cuts = 0;
    const { files } = await download({ '/a': serveWhole(bytes, () => (cuts++ < 1 ? 70_000 : undefined)) }, [
      { url: '/a' },
    ]);
    expect(hash(files[0])).toBe(hash(bytes));
  });

  test('without a length is read to its end', async () => {
    const bytes = createBytes(2 * MIB);
    const serve: RequestHandler = (_request, response) => {
      response.writeHead(200).end(bytes);
    };
    const { files, fetchedFiles } = await download({ '/a': serve }, [{ url: '/a' }]);
    expect(hash(files[0])).toBe(hash(bytes));
    expect(fetchedFiles[0]?.parts[0]).not.toHaveProperty('hasStatedSize');
  });

  test('whose connection always fails is incomplete', async () => {
    await expect(download({ '/a': serveWhole(createBytes(MIB), () => 1000) }, [{ url: '/a' }])).rejects.toMatchObject({
      code: 'download_incomplete',
    });
  });
});

test("sends the caller's method, headers and body", async () => {
  const bodies: string[] = [];
  const serve: RequestHandler = (request, response) => {
    request.on('data', (chunk) => bodies.push(String(chunk)));
    request.on('end', () => response.writeHead(200).end(`${request.method}`));
  };
  const { files, requestLog } = await download({ '/a': serve }, [
    {
      url: '/a',
      requestOptions: { method: 'POST', headers: { Cookie: 'a=1', Referer: 'https://a.example/' }, body: 'give' },
    },
  ]);
  expect(files[0]?.toString()).toBe('POST');
  expect(bodies).toEqual(['give']);
  expect(requestLog[0]?.headers).toMatchObject({ cookie: 'a=1', referer: 'https://a.example/' });
});
