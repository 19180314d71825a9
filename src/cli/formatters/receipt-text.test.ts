import { expect, test } from 'vitest';
import { exampleStatement } from '../../receipts/testing/example-statement.ts';
import { receiptText } from './receipt-text.ts';

const statement = exampleStatement({ bytes: 3, sha256: 'b'.repeat(64) });
const [input] = statement.inputs;

/** Returns the text about a receipt whose input used links in this way. */
function textOf(links?: { profiles: string[]; replacedLinks: number }): string {
  if (input === undefined) throw new Error('the example has an input');
  return receiptText('key', { ...statement, inputs: [links === undefined ? input : { ...input, links }] });
}

test.each([
  [{ profiles: ['A'], replacedLinks: 0 }, 'through client A'],
  [{ profiles: ['A', 'B'], replacedLinks: 1 }, 'through client A, then B, link replaced once'],
  [{ profiles: [], replacedLinks: 2 }, 'link replaced 2 times'],
])('names the clients that returned an input, instead of the one that the job started with: %o', (links, text) => {
  expect(textOf(links)).toMatch(new RegExp(`^Input 1 +${text}$`, 'm'));
  expect(textOf(links)).not.toContain('client visionos');
});

test('names the client that the job started with if the receipt does not state more', () => {
  expect(textOf()).toContain('client visionos');
  expect(textOf({ profiles: [], replacedLinks: 0 }).match(/^Input 1/gm)).toHaveLength(1);
});

test('names the clip, the encoding and what was added', () => {
  const sha256 = 'c'.repeat(64);
  const text = receiptText('key', {
    ...statement,
    operation: {
      type: 'convert_format',
      copyStreams: false,
      container: 'mp4',
      audioBitrate: 96,
      loudness: -14,
      video: { maxHeight: 480, codec: 'h264', crop: '9:16' },
      maxSize: 8_000_000,
    },
    clip: { start: 30 },
    additions: {
      metadata: { tags: ['artist', 'title'], sha256 },
      chapters: { count: 3, sha256 },
      cover: { host: 'cdn.example', bytes: 1000, sha256 },
      subtitles: [{ format: 'srt', language: 'de', title: 'Deutsch', default: false, host: null, bytes: 1000, sha256 }],
    },
  });
  for (const row of [
    'Operation +convert_format into mp4, streams may be encoded again, audio with 96 kbit/s, loudness -14 LUFS, video h264, at most 480p, cropped to 9:16, at most 8.00 MB',
    'Clip +from 30 s to the end',
    `Tags +artist, title: SHA-256 ${sha256}`,
    `Chapters +3: SHA-256 ${sha256}`,
    `Cover +from cdn.example, 1.00 KB, SHA-256 ${sha256}`,
    `Subtitles +srt de Deutsch, 1.00 KB, SHA-256 ${sha256}`,
  ]) {
    expect(text).toMatch(new RegExp(`^${row}$`, 'm'));
  }
});
