/** @module-tag long */

import { readFileSync, writeFileSync } from 'node:fs';
import { parseFile } from 'music-metadata';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { OutputMetadata } from '../../../contract/output-additions.ts';
import { readChapters } from '../additions/read-chapters.ts';
import type { Engine } from '../engine.ts';
import type { TaskOutput } from '../tasks/task.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { makeCovers } from '../testing/make-covers.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { describeMedia, type MediaDirectory, type MediaName, makeMedia } from '../testing/test-media.ts';
import type { EngineOperation } from '../track-plan/source-stream.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('av.mp4', 'av.ts', 'a.webm', 'a.m4a', 'rich.mp4', 'rich.mkv', 'rich.webm', 'rich.mp3');
  makeCovers(media);
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

const longText =
  `First line = "quoted"\n\nעברית \u200f(ימין) 👨‍👩‍👧 日本\n${'A long description. '.repeat(250)}`.trim();

const metadata: OutputMetadata = {
  title: 'Tïtle = "one" \u200e👩‍🚀',
  artist: 'An artist; another',
  album: 'Album / 2',
  albumArtist: 'Various',
  date: '2026-11-26',
  description: longText,
  comment: 'Two\nlines',
  url: 'https://media.example/watch?v=a%20b&t=1#x',
  genre: 'Ambient',
  track: '03/12',
};

const chapters = [
  { start: 2, title: 'Second = 2' },
  { start: 0, title: 'Первая \u200f👨‍👩‍👧' },
  { start: 3.5, title: '' },
  { start: 1e6, title: 'after the end' },
];

async function run(
  ext: OutputContainer,
  input: MediaName,
  type: EngineOperation,
  output: Partial<TaskOutput>,
  copyStreams = true,
) {
  const { path, report } = await processAndVerify(engine, media, { inputs: [input], ext, type, copyStreams, output });
  return { path, report };
}

const cover = () => ({ path: media.file('cover.png') });

const cases: [OutputContainer, MediaName, EngineOperation, boolean][] = [
  ['mp4', 'av.mp4', 'convert_format', true],
  ['mp4', 'av.ts', 'convert_format', true],
  ['mp4', 'rich.mkv', 'convert_format', true],
  ['mov', 'rich.mp4', 'convert_format', true],
  ['mkv', 'rich.mp4', 'convert_format', true],
  ['webm', 'rich.webm', 'convert_format', true],
  ['m4a', 'av.mp4', 'extract_audio', true],
  ['m4a', 'rich.mp4', 'extract_audio', false],
  ['mp3', 'rich.mp3', 'extract_audio', true],
  ['mp3', 'rich.mp4', 'extract_audio', false],
  ['aac', 'rich.mp4', 'extract_audio', true],
  ['ogg', 'rich.webm', 'extract_audio', true],
  ['ogg', 'rich.mp3', 'extract_audio', false],
  ['opus', 'rich.webm', 'extract_audio', true],
  ['flac', 'rich.mp3', 'extract_audio', false],
  ['wav', 'rich.mp3', 'extract_audio', false],
  ['ts', 'rich.mp4', 'convert_format', true],
];

/** Reads the tags by FFmpeg's names, wherever the format stores them. */
async function libraryTags(path: string): Promise<Record<string, string | undefined>> {
  const { metadata: fileTags, streams } = await describeMedia(path);
  const all = { ...streams[0]?.metadata, ...fileTags };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name.toLowerCase(), value]));
}

describe('tags of a job', () => {
  it.each(cases.filter(([ext]) => ext !== 'ts'))(
    'are in a %s file from %s (%s, copied: %s)',
    async (ext, input, type, copyStreams) => {
      const { path, report } = await run(ext, input, type, { metadata }, copyStreams);
      expect(report.notes.filter(({ code }) => code === 'metadata_left_out')).toEqual([]);
      expect(Object.keys(report.tags ?? {})).toHaveLength(10);

      const { common, native } = await parseFile(path);
      expect(common.title).toBe(metadata.title);
      expect(common.artist).toBe(metadata.artist);
      const nativeText = JSON.stringify(native);
      for (const value of [longText, metadata.album, metadata.comment, metadata.url, metadata.genre]) {
        expect(nativeText).toContain(JSON.stringify(value).slice(1, -1));
      }

      const tags = await libraryTags(path);
      expect(tags).toMatchObject({ title: metadata.title, album_artist: 'Various', date: '2026-11-26', track: '3/12' });
      expect(tags.purl ?? tags.url ?? (ext === 'mp4' || ext === 'm4a' || ext === 'mov' ? metadata.url : '')).toBe(
        metadata.url,
      );
    },
  );

  it('are noted where MPEG-TS cannot store them', async () => {
    const { report } = await run('ts', 'rich.mp4', 'convert_format', {
      metadata: { title: 'a', albumArtist: 'b' },
      chapters,
      cover: cover(),
    });
    expect(report.notes.slice(-4).map(({ message }) => message)).toEqual([
      'The title tag was left out: MPEG-TS cannot store it.',
      'The album artist tag was left out: MPEG-TS cannot store it.',
      'The chapters of the job were left out: MPEG-TS cannot store them.',
      'The cover image was left out: MPEG-TS cannot store it.',
    ]);
  });

  it.each<[OutputContainer, MediaName]>([
    ['mp4', 'rich.mp4'],
    ['mkv', 'rich.mp4'],
    ['mp3', 'rich.mp3'],
    ['opus', 'rich.webm'],
  ])('replace those of the input, each by itself (%s)', async (ext, input) => {
    const { path } = await run(ext, input, ext === 'mp4' || ext === 'mkv' ? 'convert_format' : 'extract_audio', {
      metadata: { title: 'New' },
    });
    expect(await libraryTags(path)).toMatchObject({ title: 'New', artist: 'Somebody', date: '2021' });
  });

  it('lose control characters and characters that reorder text', async () => {
    const { path } = await run('mp3', 'rich.mp3', 'extract_audio', {
      metadata: { title: ' a\0\u001b[31m\u202eb\u2066c\u200f\n', comment: 'x\r\n\u0007y\u2028z' },
    });
    const { common } = await parseFile(path);
    expect(common.title).toBe('a [31m b c\u200f');
    expect(common.comment).toMatchObject([{ text: 'x\ny\nz' }]);
  });
});

const demuxers: Partial<Record<OutputContainer, string>> = {
  ...{ mkv: 'matroska,webm', webm: 'matroska,webm', ogg: 'ogg', opus: 'ogg' },
  ...{ flac: 'flac', mp3: 'mp3', aac: 'aac' },
};

describe('chapters of a job', () => {
  const withChapters = cases.filter(([ext]) => !['ts', 'wav', 'ogg', 'opus', 'flac'].includes(ext));
  const inComments = cases.filter(([ext]) => ['ogg', 'opus', 'flac'].includes(ext));

  it.each(withChapters)(
    'replace those of the input: %s from %s (%s, copied: %s)',
    async (ext, input, type, copyStreams) => {
      const { path, report } = await run(ext, input, type, { chapters, metadata }, copyStreams);
      expect(report.chapters).toBe(3);
      expect(report.notes.filter(({ code }) => code === 'chapters_left_out')).toEqual([
        { code: 'chapters_left_out', message: '1 chapter of the job was left out: the media ends before.' },
      ]);
      expect(readChapters(path, demuxers[ext] ?? 'mov,mp4,m4a,3gp,3g2,mj2').chapters).toEqual([
        { start: 0, title: 'Первая \u200f👨‍👩‍👧' },
        { start: 2, title: 'Second = 2' },
        { start: 3.5, title: '' },
      ]);
      const { streams } = await describeMedia(path);
      expect(streams.some(({ kind }) => kind === 'audio')).toBe(true);
    },
  );

  it.each(inComments)('are comments: %s from %s (%s, copied: %s)', async (ext, input, type, copyStreams) => {
    const { path } = await run(ext, input, type, { chapters: chapters.slice(0, 3), cover: cover() }, copyStreams);
    expect(readChapters(path, demuxers[ext] ?? '').chapters.map(({ start }) => start)).toEqual([0, 2, 3.5]);
  });

  it.each<[OutputContainer, MediaName]>([
    ['mp4', 'av.mp4'],
    ['mkv', 'av.mp4'],
    ['mp3', 'rich.mp3'],
    ['opus', 'rich.webm'],
  ])('may be a thousand (%s)', async (ext, input) => {
    const many = Array.from({ length: 1000 }, (_, at) => ({
      start: at / 500,
      title: `Chapter ${at} ${'x'.repeat(400)}`,
    }));
    const { path, report } = await run(
      ext,
      input,
      ext === 'mp4' || ext === 'mkv' ? 'convert_format' : 'extract_audio',
      { chapters: many },
    );
    expect(report.chapters).toBe(1000);
    expect(readChapters(path, demuxers[ext] ?? 'mov,mp4,m4a,3gp,3g2,mj2').chapters.at(-1)?.title).toBe(
      many.at(-1)?.title,
    );
  });

  it('remove those of the input if the job states an empty list', async () => {
    const { report } = await run('mkv', 'rich.mp4', 'convert_format', { chapters: [] });
    expect(report.chapters).toBe(0);
    expect(report.notes.filter(({ code }) => code === 'chapters_left_out')).toEqual([]);
  });
});

describe('the cover of a job', () => {
  it.each(cases.filter(([ext]) => !['ts', 'wav', 'aac', 'webm'].includes(ext)))(
    'is in a %s file from %s (%s, copied: %s)',
    async (ext, input, type, copyStreams) => {
      const { path, report } = await run(
        ext,
        input,
        type,
        { cover: cover(), metadata, chapters: chapters.slice(0, 3) },
        copyStreams,
      );
      expect(report.notes.filter(({ code }) => code === 'cover_left_out')).toEqual([]);
      const { streams } = await describeMedia(path);
      expect(streams.filter(({ flags }) => flags.includes('cover')).map(({ codec }) => codec)).toEqual(['png']);
      if (ext === 'mkv') return;
      const { common } = await parseFile(path);
      expect(common.picture?.map(({ data }) => Buffer.from(data))).toEqual([readFileSync(media.file('cover.png'))]);
    },
  );

  it.each<[OutputContainer, MediaName]>([
    ['ogg', 'rich.webm'],
    ['opus', 'rich.webm'],
    ['flac', 'rich.mp3'],
    ['mp3', 'rich.mp3'],
    ['m4a', 'a.m4a'],
    ['mkv', 'rich.mp3'],
  ])('may take nine megabytes (%s)', async (ext, input) => {
    // Decoders ignore bytes after the image.
    const large = Buffer.concat([readFileSync(media.file('cover.png')), Buffer.alloc(9_000_000, 'x')]);
    writeFileSync(media.file('large.png'), large);
    const copyStreams = ext !== 'flac';
    const { report } = await run(
      ext,
      input,
      'extract_audio',
      { cover: { path: media.file('large.png') } },
      copyStreams,
    );
    expect(report.cover).toMatch(/^[0-9a-f]{64}$/);
    expect(report.bytes).toBeGreaterThan(9_000_000);
  });

  it.each([
    ['cover.jpg', 'mjpeg'],
    ['cover.webp', 'mjpeg'],
    ['transparent.webp', 'png'],
    ['one-pixel.png', 'png'],
  ])('may be %s', async (name, codec) => {
    const { path, report } = await run('mp3', 'rich.mp3', 'extract_audio', { cover: { path: media.file(name) } });
    expect(report.notes).toEqual([]);
    const { streams } = await describeMedia(path);
    expect(streams.filter(({ flags }) => flags.includes('cover')).map((each) => each.codec)).toEqual([codec]);
  });

  it.each<[string, () => Buffer, RegExp]>([
    ['a playlist', () => Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'), /not a JPEG, PNG or WebP/],
    [
      'SVG',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="http://a.example/"/></svg>'),
      /not a JPEG/,
    ],
    ['a video', () => readFileSync(media.file('av.mp4')), /not a JPEG/],
    ['empty', () => Buffer.alloc(0), /not a JPEG/],
    ['a truncated PNG image', () => readFileSync(media.file('cover.png')).subarray(0, 150), /cannot be decoded/],
    ['a truncated JPEG image', () => readFileSync(media.file('cover.jpg')).subarray(0, 400), /cannot be decoded/],
    ['a truncated WebP image', () => readFileSync(media.file('cover.webp')).subarray(0, 100), /cannot be decoded/],
    ['a PNG image of impossible size', () => withSize(60_000, 60_000), /60000 × 60000 pixels/],
    ['a PNG image of many pixels', () => withSize(9000, 9000), /9000 × 9000 pixels/],
    [
      'a file that is too large',
      () => Buffer.concat([readFileSync(media.file('cover.png')), Buffer.alloc(10_000_000)]),
      /more than 10000000/,
    ],
  ])('is left out with a note if it is %s', async (_what, bytes, reason) => {
    writeFileSync(media.file('hostile.png'), bytes());
    const { report } = await run('mp4', 'av.mp4', 'convert_format', {
      cover: { path: media.file('hostile.png') },
      metadata,
    });
    expect(report.notes).toMatchObject([{ code: 'cover_left_out', message: expect.stringMatching(reason) }]);
  });

  /** Returns a PNG image whose header declares another size. */
  function withSize(width: number, height: number): Buffer {
    const image = readFileSync(media.file('cover.png'));
    image.writeUInt32BE(width, 16);
    image.writeUInt32BE(height, 20);
    return image;
  }
});
