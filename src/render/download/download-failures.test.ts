import { describe, expect, test } from 'vitest';
import { createBytes, download, MIB } from './testing/downloads.ts';
import { type ReceivedRequest, type RequestHandler, rangeOf, serveRanges } from './testing/origin.ts';

describe('a failed download', () => {
  test.each([401, 403, 404, 410])('reports a source that returns %i', async (status) => {
    const serve: RequestHandler = (_request, response) => {
      response.writeHead(status).end();
    };
    const requestLog: ReceivedRequest[] = [];
    await expect(download({ '/a': serve }, [{ url: '/a' }], {}, requestLog)).rejects.toMatchObject({
      code: 'source_refused',
      message: expect.stringContaining(`returned ${status}`),
    });
    expect(requestLog).toHaveLength(1);
  });

  test('reports a source that refuses in the middle of the download', async () => {
    const bytes = createBytes(8 * MIB);
    const serve: RequestHandler = (request, response) => {
      if ((rangeOf(request, bytes.length)?.to ?? 0) > 4 * MIB) response.writeHead(403).end();
      else serveRanges(bytes)(request, response);
    };
    await expect(download({ '/a': serve }, [{ url: '/a' }])).rejects.toMatchObject({ code: 'source_refused' });
  });

  test('reports a source that is down after a few retries', async () => {
    const serve: RequestHandler = (_request, response) => {
      response.writeHead(503).end();
    };
    const requestLog: ReceivedRequest[] = [];
    await expect(download({ '/a': serve }, [{ url: '/a' }], {}, requestLog)).rejects.toMatchObject({
      code: 'source_unreachable',
    });
    expect(requestLog).toHaveLength(6);
  });

  test('reports a source whose announced size is too large', async () => {
    const limits = { inputSize: { perInput: MIB } };
    await expect(
      download({ '/a': serveRanges(createBytes(MIB + 1)) }, [{ url: '/a' }], { limits }),
    ).rejects.toMatchObject({
      code: 'input_too_large',
    });
  });

  test('reports a source that announces more bytes than a number can represent exactly', async () => {
    let bytesSent = 0;
    const serve: RequestHandler = (_request, response) => {
      response.writeHead(200, { 'content-length': `${2 ** 60}` });
      const pour = () => {
        while (response.write(Buffer.alloc(65_536))) bytesSent += 65_536;
      };
      response.on('drain', pour);
      pour();
    };
    await expect(download({ '/a': serve }, [{ url: '/a' }])).rejects.toMatchObject({ code: 'input_too_large' });
    expect(bytesSent).toBeLessThan(100 * MIB);
  });

  test('reports a source that turns out to be too large', async () => {
    const serve: RequestHandler = (_request, response) => {
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

  test('reports inputs that are too large together', async () => {
    const limits = { inputSize: { total: 3 * MIB } };
    const handlers = { '/a': serveRanges(createBytes(2 * MIB)), '/b': serveRanges(createBytes(2 * MIB)) };
    await expect(download(handlers, [{ url: '/a' }, { url: '/b' }], { limits })).rejects.toMatchObject({
      code: 'input_too_large',
      message: expect.stringContaining('together'),
      input: null,
    });
  });

  test.each([
    ['a file', { url: '/b' }],
    ['a playlist', { url: '/b', ext: 'm3u8' }],
  ])('reports the number of the failed input: %s', async (_what, input) => {
    const notFound: RequestHandler = (_request, response) => {
      response.writeHead(404).end();
    };
    const handlers = { '/a': serveRanges(createBytes(MIB)), '/b': notFound };
    await expect(download(handlers, [{ url: '/a' }, input])).rejects.toMatchObject({
      code: 'source_refused',
      input: 1,
    });
  });

  test('reports a source that is slower than its timeout', async () => {
    const serve: RequestHandler = (_request, response) => {
      response.writeHead(200, { 'content-length': 1000 }).write('a');
    };
    await expect(download({ '/a': serve }, [{ url: '/a', timeout: 1000 }])).rejects.toMatchObject({
      code: 'download_timeout',
      message: expect.stringContaining('Input 1'),
    });
  });

  test('reports a web page in place of media', async () => {
    const page: RequestHandler = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html></html>');
    };
    await expect(download({ '/a': page }, [{ url: '/a' }])).rejects.toMatchObject({
      code: 'source_refused',
      message: expect.stringContaining('web page'),
    });
    expect((await download({ '/a': page }, [{ url: '/a', ext: 'html' }])).files[0]?.toString()).toBe('<html></html>');
  });

  test('reports a redirect to a private address', async () => {
    const serve: RequestHandler = (_request, response) => {
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end();
    };
    await expect(download({ '/a': serve }, [{ url: '/a' }])).rejects.toMatchObject({ code: 'address_refused' });
  });
});
