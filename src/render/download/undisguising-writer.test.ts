import { createCipheriv } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../testing/property-runs.ts';
import { createBytes, download } from './testing/downloads.ts';
import { serveRanges } from './testing/origin.ts';
import { createPlaylist, respondWith } from './testing/playlist-handlers.ts';
import { createUndisguisingWriter } from './undisguising-writer.ts';

/** Returns MPEG-TS packets with other sync bytes in them. */
function packets(count: number): Buffer {
  const bytes = createBytes(count * 188);
  for (let at = 0; at < bytes.length; at += 188) bytes[at] = 0x47;
  return bytes;
}

const page = (words: number) => `<!DOCTYPE html>\n<html><body>${'A Great Gallery. '.repeat(words)}</body></html>`;
const disguises = {
  'a PNG': Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), createBytes(1017)]),
  'a small PNG': Buffer.from('\x89PNG\r\n\x1a\nIHDR', 'latin1'),
  'a JPEG': Buffer.concat([Buffer.of(0xff, 0xd8, 0xff, 0xe0), createBytes(30_000)]),
  'a GIF': Buffer.from('GIF89aGGGGGG'),
  'a short page': Buffer.from(page(1)),
  'a long page': Buffer.from(page(200)),
};

/** Passes bytes on in chunks, twice if the first attempt ends early. */
async function passOn(bytes: Buffer, chunkBytes: number, brokenAt = 0) {
  const chunks: Buffer[] = [];
  const prefixes: number[] = [];
  const writer = createUndisguisingWriter(
    {
      write: (position, chunk) => {
        if (position === 0) chunks.length = 0;
        chunks.push(Buffer.from(chunk));
        return undefined;
      },
      flush: async () => undefined,
      finish: async () => undefined,
    },
    (prefix) => prefixes.push(prefix),
  );
  for (const end of brokenAt > 0 ? [brokenAt, bytes.length] : [bytes.length]) {
    for (let at = 0; at < end; at += chunkBytes)
      await writer.write(at, bytes.subarray(at, Math.min(end, at + chunkBytes)));
  }
  await writer.finish();
  return { written: Buffer.concat(chunks), size: writer.size, prefixes };
}

describe('createUndisguisingWriter', () => {
  test.each(Object.entries(disguises))('leaves out %s before MPEG-TS', async (_name, disguise) => {
    for (const count of [2, 3, 40]) {
      const media = packets(count);
      const { written, size } = await passOn(Buffer.concat([disguise, media]), 1000);
      expect(written.equals(media)).toBe(true);
      expect(size).toBe(media.length);
    }
  });

  test('passes on everything else unchanged, in any chunks', async () => {
    const start = fc.constantFrom(...Object.values(disguises).map((bytes) => bytes.subarray(0, 20)), packets(1));
    const chunkBytes = fc.integer({ min: 1, max: 500 });
    await fc.assert(
      fc.asyncProperty(
        start,
        fc.uint8Array({ maxLength: 900 }),
        chunkBytes,
        fc.nat(900),
        async (begin, rest, chunk, broken) => {
          // Without a sync byte, these cannot be packets.
          const bytes = Buffer.concat([begin, Buffer.from(rest).map((byte) => (byte === 0x47 ? 0 : byte))]);
          const { written, size, prefixes } = await passOn(bytes, chunk, broken % bytes.length);
          expect(written.equals(bytes)).toBe(true);
          expect(size).toBe(bytes.length);
          expect(new Set(prefixes)).toEqual(new Set([0]));
        },
      ),
      { seed: 15, numRuns: propertyRuns(200) },
    );
  });
});

describe('disguised segments of a playlist', () => {
  const media = [packets(30), packets(50), packets(10)];
  const playlist = (...tags: string[]) =>
    createPlaylist([...tags, ...media.flatMap((_, at) => ['#EXTINF:4,', `/segment-${at}`])]);

  test.each(Object.entries(disguises))('become MPEG-TS: %s', async (_name, disguise) => {
    const handlers = media.map((bytes, at) => {
      return [`/segment-${at}`, serveRanges(Buffer.concat([disguise, bytes]))] as const;
    });
    const { files } = await download({ '/a': respondWith(playlist()), ...Object.fromEntries(handlers) }, [
      { url: '/a', ext: 'm3u8' },
    ]);
    expect(files[0]?.equals(Buffer.concat(media))).toBe(true);
  });

  test('become MPEG-TS if they are encrypted with their disguise', async () => {
    const [key, iv] = [Buffer.alloc(16, 7), Buffer.alloc(16, 9)];
    const handlers = media.map((bytes, at) => {
      const cipher = createCipheriv('aes-128-cbc', key, iv);
      const plain = Buffer.concat([disguises['a PNG'], bytes]);
      return [`/segment-${at}`, respondWith(Buffer.concat([cipher.update(plain), cipher.final()]))] as const;
    });
    const tag = `#EXT-X-KEY:METHOD=AES-128,URI="/key",IV=0x${iv.toString('hex')}`;
    const fixed = { '/a': respondWith(playlist(tag)), '/key': respondWith(key) };
    const { files } = await download({ ...fixed, ...Object.fromEntries(handlers) }, [{ url: '/a', ext: 'm3u8' }]);
    expect(files[0]?.equals(Buffer.concat(media))).toBe(true);
  });
});
