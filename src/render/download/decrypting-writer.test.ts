import { createCipheriv } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { download, hash } from './testing/downloads.ts';
import { serveRanges } from './testing/origin.ts';
import {
  concatenatedSegments,
  createPlaylist,
  respondWith,
  segmentHandlers,
  segmentPaths,
} from './testing/playlist-handlers.ts';

describe('an HLS playlist encrypted with AES-128', () => {
  const key = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
  const explicitVector = Buffer.from('0123456789abcdef0123456789abcdef', 'hex');
  const sequenceVector = (sequence: number) => Buffer.from(sequence.toString(16).padStart(32, '0'), 'hex');
  const encrypt = (bytes: Buffer, iv: Buffer) => {
    const cipher = createCipheriv('aes-128-cbc', key, iv);
    return Buffer.concat([cipher.update(bytes), cipher.final()]);
  };
  const keyFile = { '/k': respondWith(key) };
  const lines = segmentPaths.flatMap((name) => ['#EXTINF:4,', name]);

  test.each([
    ['an explicit vector', `,IV=0x${explicitVector.toString('hex')}`, () => explicitVector],
    ['vectors from the sequence', '', (index: number) => sequenceVector(7 + index)],
  ])('is decrypted with %s', async (_name, attribute, vector) => {
    const content = createPlaylist([
      '#EXT-X-MEDIA-SEQUENCE:7',
      `#EXT-X-KEY:METHOD=AES-128,URI="/k"${attribute}`,
      ...lines,
    ]);
    // Every other segment is interrupted once in the middle of a block.
    const handlers = segmentHandlers((bytes, index) =>
      serveRanges(encrypt(bytes, vector(index)), (from) => (from === 0 && index % 2 === 0 ? 70_001 : undefined)),
    );
    const { files, fetchedFiles, requestLog } = await download(
      { '/a': respondWith(content), ...keyFile, ...handlers },
      [{ url: '/a', ext: 'm3u8' }],
    );
    expect(hash(files[0])).toBe(hash(concatenatedSegments));
    expect(fetchedFiles[0]?.bytes).toBe(concatenatedSegments.length);
    expect(requestLog.filter(({ url }) => url === '/k')).toHaveLength(1);
  });

  test('fails with the name of the segment if the key does not match', async () => {
    const content = createPlaylist(['#EXT-X-KEY:METHOD=AES-128,URI="/k"', ...lines]);
    const handlers = segmentHandlers((bytes) => serveRanges(bytes.subarray(0, 1600)));
    await expect(
      download({ '/a': respondWith(content), ...keyFile, ...handlers }, [{ url: '/a', ext: 'm3u8' }]),
    ).rejects.toMatchObject({
      code: 'source_unsupported',
      message: expect.stringMatching(/Segment \d+ .*decrypted/),
    });
  });

  test('fails if the key has the wrong size', async () => {
    const content = createPlaylist(['#EXT-X-KEY:METHOD=AES-128,URI="/k"', ...lines]);
    await expect(
      download({ '/a': respondWith(content), '/k': respondWith('short') }, [{ url: '/a', ext: 'm3u8' }]),
    ).rejects.toMatchObject({
      code: 'source_unsupported',
      message: expect.stringContaining('5 bytes instead of 16'),
    });
  });
});
