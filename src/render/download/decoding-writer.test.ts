import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createDecodingWriter } from './decoding-writer.ts';
import { createBytes, download, hash, MIB } from './testing/downloads.ts';
import type { RequestHandler } from './testing/origin.ts';

describe('an encoded response', () => {
  const serveCoded =
    (encoding: string, bytes: Buffer): RequestHandler =>
    (_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding, 'content-length': bytes.length }).end(bytes);
    };

  // The default is the best quality, which takes seconds.
  const quickBrotli = (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });

  test.each([
    ['gzip', gzipSync],
    ['br', quickBrotli],
    ['deflate', deflateSync],
  ] as const)('is decoded from %s', async (encoding, compress) => {
    const bytes = createBytes(3 * MIB);
    const { files, fetchedFiles } = await download({ '/a': serveCoded(encoding, compress(bytes)) }, [{ url: '/a' }]);
    expect(hash(files[0])).toBe(hash(bytes));
    expect(fetchedFiles[0]?.bytes).toBe(bytes.length);
  });

  test('is rejected once its decoded size exceeds the limit', { tags: ['long'] }, async () => {
    const limits = { inputSize: { perInput: 5 * MIB } };
    const bomb = gzipSync(Buffer.alloc(300 * MIB));
    await expect(download({ '/a': serveCoded('gzip', bomb) }, [{ url: '/a' }], { limits })).rejects.toMatchObject({
      code: 'input_too_large',
    });
  });

  test('is incomplete when it is truncated', async () => {
    const bytes = gzipSync(createBytes(MIB)).subarray(0, -100);
    await expect(download({ '/a': serveCoded('gzip', bytes) }, [{ url: '/a' }])).rejects.toMatchObject({
      code: 'download_incomplete',
      message: 'Input 1 ended before its gzip data was complete. Start the same job again.',
    });
  });

  const plain = createBytes(MIB);
  const damaged = gzipSync(plain);
  damaged.writeInt32LE(~damaged.readInt32LE(damaged.length - 8), damaged.length - 8);
  test.each([
    ['gzip', 'is not coded', plain, 'incorrect header check'],
    ['gzip', 'has the wrong checksum', damaged, 'incorrect data check'],
    ['deflate', 'lacks the zlib format', deflateRawSync(plain), 'incorrect header check'],
    ['br', 'is not coded', plain, '.+'],
  ])('of the coding %s is refused as invalid if it %s', async (coding, _what, bytes, reason) => {
    await expect(download({ '/a': serveCoded(coding, bytes) }, [{ url: '/a' }])).rejects.toMatchObject({
      code: 'download_incomplete',
      message: expect.stringMatching(
        `^Input 1 was sent with ${coding} coding, but its ${coding} data is invalid \\(${reason}\\)\\. Start the same job again, or use another source\\.$`,
      ),
    });
  });

  test.each(['', ',', 'identity', ', Identity'])('has no coding if its list of codings is "%s"', async (list) => {
    const { files } = await download({ '/a': serveCoded(list, plain) }, [{ url: '/a' }]);
    expect(hash(files[0])).toBe(hash(plain));
  });

  test('is rejected when its encoding is unknown', async () => {
    await expect(download({ '/a': serveCoded('zzz', createBytes(10)) }, [{ url: '/a' }])).rejects.toMatchObject({
      code: 'source_unsupported',
    });
  });
});

test('a decoder whose writer has failed since the last chunk reports the failure at its end', async () => {
  const failure = new Error('the disk is full');
  const failed = Promise.withResolvers<undefined>();
  const full = { write: () => failed.promise, flush: async () => undefined, finish: async () => undefined };
  const decoder = createDecodingWriter(full, 'gzip', 'Input 1', () => undefined);
  await decoder.write(0, gzipSync(createBytes(1000)));
  failed.reject(failure);
  // Its stream has closed by then.
  await new Promise(setImmediate);
  await expect(decoder.finish()).rejects.toBe(failure);
});
