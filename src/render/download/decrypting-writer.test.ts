import { createCipheriv } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { download, hash } from './testing/downloads.ts';
import { withRanges } from './testing/origin.ts';
import { names, playlistOf, says, served, whole } from './testing/playlist.ts';

describe('an HLS playlist that is encrypted with AES-128', () => {
  const key = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
  const explicit = Buffer.from('0123456789abcdef0123456789abcdef', 'hex');
  const derived = (sequence: number) => Buffer.from(sequence.toString(16).padStart(32, '0'), 'hex');
  const encrypt = (bytes: Buffer, iv: Buffer) => {
    const cipher = createCipheriv('aes-128-cbc', key, iv);
    return Buffer.concat([cipher.update(bytes), cipher.final()]);
  };
  const keyFile = { '/k': says(key) };
  const lines = names.flatMap((name) => ['#EXTINF:4,', name]);

  test.each([
    ['an explicit vector', `,IV=0x${explicit.toString('hex')}`, () => explicit],
    ['vectors from the sequence', '', (index: number) => derived(7 + index)],
  ])('is decrypted with %s', async (_name, attribute, vector) => {
    const content = playlistOf(['#EXT-X-MEDIA-SEQUENCE:7', `#EXT-X-KEY:METHOD=AES-128,URI="/k"${attribute}`, ...lines]);
    // Every other segment breaks once in the middle of a block.
    const behaviours = served((bytes, index) =>
      withRanges(encrypt(bytes, vector(index)), (from) => (from === 0 && index % 2 === 0 ? 70_001 : undefined)),
    );
    const { files, fetched, seen } = await download({ '/a': says(content), ...keyFile, ...behaviours }, [
      { url: '/a', ext: 'm3u8' },
    ]);
    expect(hash(files[0])).toBe(hash(whole));
    expect(fetched[0]?.bytes).toBe(whole.length);
    expect(seen.filter(({ url }) => url === '/k')).toHaveLength(1);
  });

  test('with a key that does not fit fails, naming the segment', async () => {
    const content = playlistOf(['#EXT-X-KEY:METHOD=AES-128,URI="/k"', ...lines]);
    const behaviours = served((bytes) => withRanges(bytes.subarray(0, 1600)));
    await expect(
      download({ '/a': says(content), ...keyFile, ...behaviours }, [{ url: '/a', ext: 'm3u8' }]),
    ).rejects.toMatchObject({
      code: 'source_unsupported',
      message: expect.stringMatching(/Segment \d+ .*decrypted/),
    });
  });

  test('with a key of the wrong size fails', async () => {
    const content = playlistOf(['#EXT-X-KEY:METHOD=AES-128,URI="/k"', ...lines]);
    await expect(
      download({ '/a': says(content), '/k': says('short') }, [{ url: '/a', ext: 'm3u8' }]),
    ).rejects.toMatchObject({
      code: 'source_unsupported',
      message: expect.stringContaining('5 bytes instead of 16'),
    });
  });
});
