import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { detectImageFormat } from './image-format.ts';

const head = (text: string) => Buffer.from(text, 'latin1');

test.each([
  ['\xff\xd8\xff\xe0', { title: 'JPEG', demuxer: 'jpeg_pipe' }],
  ['\x89PNG\r\n\x1a\n', { title: 'PNG', demuxer: 'png_pipe' }],
  ['GIF89a', { title: 'GIF', demuxer: 'gif' }],
  ['RIFF\0\0\0\0WEBPVP8 ', { title: 'WebP', demuxer: 'webp_pipe' }],
  ['RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\x10', { title: 'WebP', demuxer: 'webp_pipe' }],
  ['RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\x12', { title: 'WebP', demuxer: 'webp_anim' }],
  ['\0\0\0\x14ftypavif\0\0\0\0mif1', { title: 'AVIF', demuxer: 'mov' }],
  ['\0\0\0\x14ftypmif1\0\0\0\0avif', { title: 'AVIF', demuxer: 'mov' }],
  ['\0\0\0\x14ftypmif1\0\0\0\0heic', { title: 'HEIC' }],
  ['\0\0\0\x10ftypisom\0\0\0\0avif', undefined],
  ['\0\0\0\x14ftypisomavifmp42', undefined],
  ['#EXTM3U\n', undefined],
  ['', undefined],
])('detects %j', (text, format) => {
  expect(detectImageFormat(head(text))).toEqual(format);
});

test('never throws, and names only known demuxers', () => {
  const prefixes = fc.constantFrom('', 'RIFF\0\0\0\0WEBP', '\0\0\0\x20ftyp', 'GIF8', '\xff\xd8');
  fc.assert(
    fc.property(prefixes, fc.uint8Array({ maxLength: 80 }), (prefix, bytes) => {
      const format = detectImageFormat(Buffer.concat([head(prefix), bytes]));
      if (format === undefined || !('demuxer' in format)) return;
      expect(['jpeg_pipe', 'png_pipe', 'webp_pipe', 'webp_anim', 'gif', 'mov']).toContain(format.demuxer);
    }),
    { seed: 23, numRuns: propertyRuns(500) },
  );
});
