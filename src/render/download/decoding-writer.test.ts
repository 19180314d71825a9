import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { body, download, hash, MIB } from './testing/downloads.ts';
import type { Behaviour } from './testing/origin.ts';

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
