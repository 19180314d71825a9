/** @module-tag long */

import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { describeMedia, type MediaDirectory, type MediaName, makeMedia } from '../testing/test-media.ts';
import type { EngineOperation } from '../track-plan/source-stream.ts';
import { verifyResult } from '../verification/verify-result.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia(
    ...(['streams.mkv', 'streams.mp4', 'streams.mov', 'streams.ts', 'streams.webm'] as const),
    ...(['empty-vobsub.mkv', 'drawings.mkv', 'v.ts', 'av.ts', 'av.mkv'] as const),
  );
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

const signal = new AbortController().signal;

/** Returns the verified result of an operation on one file: the codecs besides video and audio, and the notes. */
async function run(name: string, ext: OutputContainer, type: EngineOperation = 'join_streams', copyStreams = true) {
  const path = media.file(`result.${ext}`);
  const task = {
    directory: media.path,
    inputs: [{ path: media.file(name) }],
    output: { path, ext },
    operation: { type, copyStreams },
    maxOutputBytes: 100_000_000,
  };
  const report = await engine.process(task, { signal });
  verifyResult(report, await engine.probe({ directory: media.path, path, ext }, { signal }));
  const { streams } = await describeMedia(path);
  const codecs = streams.flatMap(({ kind, codec }) => (kind === 'video' || kind === 'audio' ? [] : [codec]));
  return { codecs, notes: report.notes };
}

const messages = ({ notes }: Awaited<ReturnType<typeof run>>) => notes.map(({ message }) => message);

describe('the streams of a real file', () => {
  const conversions: Record<string, [MediaName, copyStreams: boolean, Partial<Record<OutputContainer, string>>]> = {
    Matroska: [
      'streams.mkv',
      true,
      {
        mkv: 'subrip ass webvtt dvd_subtitle dvb_subtitle hdmv_pgs_subtitle hdmv_text_subtitle',
        mp4: 'mov_text mov_text mov_text dvd_subtitle',
        mov: 'mov_text mov_text mov_text',
        ts: 'dvb_subtitle',
      },
    ],
    MP4: [
      'streams.mp4',
      true,
      { mp4: 'mov_text dvd_subtitle', mkv: 'subrip dvd_subtitle', mov: 'mov_text', ts: '', m4a: '' },
    ],
    QuickTime: ['streams.mov', true, { mov: 'mov_text', mp4: 'mov_text', mkv: 'subrip', ts: '' }],
    'MPEG-TS': ['streams.ts', true, { ts: 'dvb_subtitle dvb_teletext klv', mkv: 'dvb_subtitle', mp4: '', mov: '' }],
    WebM: ['streams.webm', true, { webm: 'webvtt webvtt', mkv: 'webvtt webvtt', mp4: 'mov_text mov_text' }],
    'Matroska, encoded': ['streams.mkv', false, { webm: 'webvtt webvtt webvtt' }],
  };
  const cases = Object.entries(conversions).flatMap(([title, [source, copyStreams, results]]) => {
    return (Object.keys(results) as OutputContainer[]).map((ext) => {
      return { title, source, copyStreams, ext, expected: results[ext] ?? '' };
    });
  });

  it.each(cases)('are kept or noted: $title into $ext: "$expected"', async ({ source, copyStreams, ext, expected }) => {
    const type = ext === 'm4a' ? 'extract_audio' : 'join_streams';
    const result = await run(source, ext, type, copyStreams);
    expect(result.codecs.join(' ')).toBe(expected);
    const extras = (await describeMedia(media.file(source))).streams.length - 2;
    const left = result.notes.filter(({ code }) => code === 'stream_left_out');
    expect(result.codecs.length + left.length).toBe(extras);
    expect(new Set(left.map(({ message }) => /\(input 1, stream \d+\)/.exec(message)?.[0])).size).toBe(left.length);
    expect(result.notes.every(({ input }) => input === 0)).toBe(true);
  });

  it('keep the palette of VobSub when copied through MP4', async () => {
    await run('streams.mkv', 'mp4');
    writeFileSync(media.file('streams-of-mkv.mp4'), readFileSync(media.file('result.mp4')));
    expect((await run('streams-of-mkv.mp4', 'mkv')).codecs).toContain('dvd_subtitle');
    expect(readFileSync(media.file('result.mkv'), 'latin1')).toContain('palette: 000000, fefefe, 7e7e7e');
  });
});

describe('streams with problems that only reading reveals', () => {
  it('have a note if they are subtitles without packets and the container omits them', async () => {
    const left = 'The dvd_subtitle subtitle (input 1, stream 2) was left out: its input has no packets for it.';
    expect(messages(await run('empty-vobsub.mkv', 'mp4'))).toEqual([left]);
    expect(await run('empty-vobsub.mkv', 'mkv')).toEqual({ codecs: ['dvd_subtitle'], notes: [] });
  });

  it('have a note about cues that are not text', async () => {
    const result = await run('drawings.mkv', 'mp4');
    expect(result.codecs).toEqual(['mov_text', 'mov_text']);
    expect(result.notes.slice(2)).toEqual([
      {
        code: 'subtitle_cues_left_out',
        message: 'The ass subtitle of input 1 lost cues: 3 of 3 (drawings without text).',
        input: 0,
      },
    ]);
    expect((await run('drawings.mkv', 'mkv')).notes).toEqual([]);
  });

  it('have a note if they begin too late in MPEG-TS to be found', async () => {
    // The library reads the beginning of a file, and its last 16 MB to find the duration. Here both consist of null
    // packets.
    const empty = Buffer.alloc(188, 0xff);
    empty.set([0x47, 0x1f, 0xff, 0x10]);
    writeFileSync(media.file('late.ts'), readFileSync(media.file('v.ts')));
    appendFileSync(media.file('late.ts'), readFileSync(media.file('av.ts')));
    appendFileSync(media.file('late.ts'), Buffer.alloc(188 * 90_000, empty));
    expect(messages(await run('late.ts', 'mp4'))).toEqual([
      'The aac audio (input 1, stream 1) was left out: it begins too late in the file to be found when the file is opened.',
    ]);
    expect(messages(await run('late.ts', 'mp4', 'extract_video'))).toEqual([]);
  });
});

describe('Matroska tracks that the library does not know', () => {
  /** Returns a copy of the file in which the first WebVTT track has another codec and type. */
  function altered(codec: string, type = 17): string {
    const bytes = readFileSync(media.file('streams.webm'));
    const at = bytes.indexOf('D_WEBVTT/SUBTITLES');
    bytes.fill(0, at, at + 18);
    bytes.write(codec, at);
    // A one-byte element inside the same entry.
    bytes[bytes.indexOf(Buffer.of(0x83, 0x81, 17)) + 2] = type;
    writeFileSync(media.file('altered.webm'), bytes);
    return 'altered.webm';
  }

  it('are copied if they contain WebVTT under the codec ID that Matroska defines for it', async () => {
    expect((await run(altered('S_TEXT/WEBVTT'), 'mkv')).codecs).toEqual(['webvtt', 'webvtt']);
    expect((await run(altered('S_TEXT/WEBVTT'), 'mp4')).codecs).toEqual(['mov_text', 'mov_text']);
  });

  it.each([
    ['D_WEBVTT/SUBTITLES', 18],
    ['X_UNKNOWN', 17],
  ])('have a note if they are not delivered: codec %s, type %i', async (codec, type) => {
    const result = await run(altered(codec, type), 'mkv');
    expect(result.codecs).toEqual(['webvtt']);
    expect(messages(result)).toEqual([
      expect.stringMatching(/^Track [34] of input 1 \(codec .*\) was left out: the media library cannot read it/),
    ]);
  });

  it('have a note if they are subtitles of an unknown codec', async () => {
    expect(messages(await run(altered('S_KATE'), 'mkv'))).toEqual([
      'The unknown subtitle (input 1, stream 2) was left out: Matroska cannot store it.',
    ]);
  });
});
