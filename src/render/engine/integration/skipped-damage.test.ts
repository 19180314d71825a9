import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Clip } from '../../../contract/clip.ts';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { longNames } from '../testing/media-names.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { type MediaDirectory, makeMedia } from '../testing/test-media.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia(...longNames, 'gap.mkv', 'gap.ts', 'slow.ts', 'varying.mkv', 'recorded.webm');
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

const page = '<html><body><h1>503 Service Unavailable</h1></body></html>\n';

/** Replaces a part of a file, from one fraction to another, and copies the file. */
async function copyWithHole(name: string, ext: OutputContainer, filling: string | number, from: number, to: number) {
  const bytes = readFileSync(media.file(name));
  bytes.fill(filling, Math.floor(bytes.length * from), Math.floor(bytes.length * to));
  writeFileSync(media.file(`hole-${name}`), bytes);
  const { report } = await processAndVerify(engine, media, { inputs: [`hole-${name}`], ext });
  return report.notes;
}

/** A tag of ID3v2 with a comment of 3,000 bytes, one of ID3v1, and an empty one of APE with a footer. */
const id3v2 = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\x17\x38', 'latin1'), Buffer.alloc(3000, 'x')]);
const id3v1 = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125)]);
const ape = Buffer.concat([
  Buffer.from('APETAGEX\xd0\x07\0\0\x20\0\0\0\0\0\0\0\0\0\0\xa0', 'latin1'),
  Buffer.alloc(8),
  Buffer.from('APETAGEX\xd0\x07\0\0\x20\0\0\0\0\0\0\0\0\0\0\x80', 'latin1'),
  Buffer.alloc(8),
]);

const files: readonly (readonly [string, OutputContainer])[] = [
  ['long.aac', 'm4a'],
  ['long.mp3', 'mp3'],
  ['long.ac3', 'mkv'],
  ['long.eac3', 'mkv'],
  ['long.flac', 'flac'],
  ['long.opus', 'opus'],
  ['long.ogg', 'ogg'],
  ['long.webm', 'webm'],
  ['long.mkv', 'mkv'],
  ['long.ts', 'mp4'],
  ['long.flv', 'mp4'],
];

describe('a file with a hole', () => {
  it.each(files.flatMap(([name, ext]) => [[name, ext, 'zeros', 0] as const, [name, ext, 'a web page', page] as const]))(
    'is refused if more than a second is missing: %s to %s, %s',
    async (name, ext, _what, filling) => {
      await expect(copyWithHole(name, ext, filling, 0.3, 0.6)).rejects.toMatchObject({
        code: 'input_unreadable',
        message: expect.stringMatching(
          /^Input 1 is damaged: \d+\.\d kB at [1-4]\.\d s cannot be read, so [2-5]\.\d s would be missing\./,
        ),
        input: 0,
      });
    },
  );

  it.each(files)('is copied with a note if little is missing: %s to %s', async (name, ext) => {
    // A hole in MPEG-TS may leave a part of a frame, which is refused.
    const notes = await copyWithHole(name, ext, 0, 0.5, name === 'long.ts' ? 0.55 : 0.54);
    expect(notes).toEqual([
      {
        code: 'frames_left_out',
        message: expect.stringMatching(
          /^Input 1 is damaged: \d+\.\d kB at [4-6]\.\d s cannot be read, so (0\.\d|1\.0) s is missing\.$/,
        ),
        input: 0,
      },
    ]);
  });
});

/** Inserts 500 null packets in the middle of a transport stream, as a stream of constant bit rate has. */
function withNullPackets(bytes: Buffer): Buffer {
  const middle = 188 * Math.floor(bytes.length / 376);
  const packet = Buffer.concat([Buffer.from([0x47, 0x1f, 0xff, 0x10]), Buffer.alloc(184, 0xff)]);
  const packets = Array.from({ length: 500 }, () => packet);
  return Buffer.concat([bytes.subarray(0, middle), ...packets, bytes.subarray(middle)]);
}

describe('a clip of a file with a hole', () => {
  it.each<readonly [string, OutputContainer]>([
    ['long.aac', 'm4a'],
    ['long.mp3', 'mp3'],
    ['long.flac', 'flac'],
    ['long.ogg', 'ogg'],
    ['long.mkv', 'mkv'],
  ])('is only concerned by a hole inside it: %s', async (name, ext) => {
    const bytes = readFileSync(media.file(name));
    bytes.fill(0, Math.floor(bytes.length * 0.2), Math.floor(bytes.length * 0.4));
    writeFileSync(media.file(`clip-${name}`), bytes);
    const cut = (clip: Clip) => processAndVerify(engine, media, { inputs: [`clip-${name}`], ext, clip });
    await expect(cut({ start: 1, end: 6 })).rejects.toMatchObject({ code: 'input_unreadable' });
    const { notes } = (await cut({ start: 6, end: 7 })).report;
    expect(notes.filter(({ code }) => code === 'frames_left_out')).toEqual([]);
  });
});

describe('an Ogg file', () => {
  it.each(['long.opus', 'long.ogg'])('is refused if it ends inside a page: %s', async (name) => {
    const bytes = readFileSync(media.file(name));
    const cut = bytes.lastIndexOf('OggS');
    for (const end of [Math.floor(bytes.length / 2), cut + 30, bytes.length - 1]) {
      writeFileSync(media.file(`cut-${name}`), bytes.subarray(0, end));
      await expect(processAndVerify(engine, media, { inputs: [`cut-${name}`], ext: 'mkv' })).rejects.toMatchObject({
        code: 'input_incomplete',
        message: expect.stringMatching(
          /^Input 1 is cut short: its last page needs \d+ bytes, but the file has only \d+\./,
        ),
      });
    }
  });

  it('is complete without a page that is marked as the last one, and with a tag behind it', async () => {
    const bytes = readFileSync(media.file('long.opus'));
    for (const end of [Buffer.alloc(0), id3v1]) {
      writeFileSync(media.file('open.opus'), Buffer.concat([bytes.subarray(0, bytes.lastIndexOf('OggS')), end]));
      const { report } = await processAndVerify(engine, media, { inputs: ['open.opus'], ext: 'opus' });
      expect(report.notes).toEqual([]);
    }
  });
});

describe('a file without damage', () => {
  it.each<readonly [string, string, OutputContainer, (bytes: Buffer) => Buffer]>([
    ['tags around AAC', 'long.aac', 'm4a', (bytes) => Buffer.concat([id3v2, bytes, ape, id3v1])],
    ['tags between AAC', 'long.aac', 'm4a', (bytes) => Buffer.concat([bytes, id3v1, id3v2, bytes])],
    ['tags around MP3', 'long.mp3', 'mp3', (bytes) => Buffer.concat([id3v2, bytes, ape, id3v1])],
    ['tags between MP3', 'long.mp3', 'mp3', (bytes) => Buffer.concat([bytes, ape, id3v1, id3v2, bytes])],
    ['garbage before AAC', 'long.aac', 'm4a', (bytes) => Buffer.concat([Buffer.alloc(300), bytes])],
    ['null packets in MPEG-TS', 'long.ts', 'mp4', withNullPackets],
    ...[...longNames, 'gap.ts', 'slow.ts', 'gap.mkv', 'varying.mkv', 'recorded.webm'].map(
      (name) => ['nothing unusual', name, 'mkv', (bytes: Buffer) => bytes] as const,
    ),
  ])('is copied without a note: %s, %s to %s', async (_what, name, ext, change) => {
    writeFileSync(media.file(`whole-${name}`), change(readFileSync(media.file(name))));
    const { report } = await processAndVerify(engine, media, { inputs: [`whole-${name}`], ext });
    expect(report.notes).toEqual([]);
  });
});
