/** @module-tag long */

import { renameSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import type { DescribedMedia } from '../testing/described-media.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { describeMedia, type MediaDirectory, type MediaName, makeMedia } from '../testing/test-media.ts';
import type { EngineOperation } from '../track-plan/source-stream.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('rich.mp4', 'rich.mkv', 'rich.webm', 'rich.mp3');
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

const signal = new AbortController().signal;

async function run(type: EngineOperation, ext: OutputContainer, inputs: readonly MediaName[], copyStreams = true) {
  const path = media.file(`result.${ext}`);
  const { notes } = await engine.process(
    {
      directory: media.path,
      inputs: inputs.map((name) => ({ path: media.file(name) })),
      output: { path, ext },
      operation: { type, copyStreams },
      maxOutputBytes: 10_000_000,
    },
    { signal },
  );
  return { ...(await describeMedia(path)), notes };
}

/** Summarises each stream except chapter text: `audio aac ger "Kommentar" default`, with `90°` if it is rotated. */
function streams(described: DescribedMedia): string[] {
  const streams = described.streams.filter(({ kind }) => kind !== 'chapters');
  return streams.map(({ kind, codec, metadata, flags, turn }) => {
    const { language, title = metadata.name } = metadata;
    const labels = flags.includes('cover')
      ? ['cover', codec]
      : [kind, codec, language === 'und' ? undefined : language];
    const quotedTitle = title === undefined || flags.includes('cover') ? undefined : `"${title}"`;
    const forced = flags.includes('forced') ? 'forced' : undefined;
    return [...labels, quotedTitle, forced, turn === undefined ? undefined : `${turn}°`]
      .filter((each) => each)
      .join(' ');
  });
}

/** Returns the metadata of a file, wherever its format stores it. */
function tagsOf({ metadata, streams }: DescribedMedia): (string | undefined)[] {
  const all = { ...streams[0]?.metadata, ...metadata };
  const lower = Object.fromEntries(Object.entries(all).map(([key, value]) => [key.toLowerCase(), value]));
  return [lower.title, lower.artist, lower.date];
}

const titles = '"Sottotitoli" forced';

describe('a rotated film with a commentary, forced subtitles and a cover', () => {
  it.each<[EngineOperation, OutputContainer, MediaName, boolean, string[]]>([
    ['convert_format', 'mp4', 'rich.mp4', true, ['h264 90°', 'aac', `mov_text ita ${titles}`, 'cover png']],
    ['convert_format', 'mp4', 'rich.mp4', false, ['h264 90°', 'aac', `mov_text ita ${titles}`, 'cover png']],
    ['convert_format', 'mov', 'rich.mp4', true, ['h264 90°', 'aac', 'mov_text ita "Sottotitoli"']],
    ['convert_format', 'mkv', 'rich.mp4', true, ['h264 90°', 'aac', `subrip ita ${titles}`, 'cover png']],
    ['convert_format', 'mkv', 'rich.mp4', false, ['h264 90°', 'aac', `subrip ita ${titles}`, 'cover png']],
    ['convert_format', 'webm', 'rich.mp4', false, ['vp9 90°', 'opus', `webvtt ita ${titles}`]],
    ['join_streams', 'mp4', 'rich.mkv', true, ['h264 90°', 'aac', `mov_text ita ${titles}`]],
    ['convert_format', 'mov', 'rich.mkv', false, ['h264 90°', 'aac', 'mov_text ita "Sottotitoli"']],
    ['convert_format', 'webm', 'rich.webm', true, ['vp9 90°', 'opus', `webvtt ita ${titles}`]],
    ['convert_format', 'mp4', 'rich.webm', true, ['vp9 90°', 'opus', `mov_text ita ${titles}`]],
    ['convert_format', 'mkv', 'rich.webm', true, ['vp9 90°', 'opus', `webvtt ita ${titles}`]],
  ])('keeps its metadata: %s into %s from %s (copied: %s)', async (type, ext, input, copyStreams, expected) => {
    const described = await run(type, ext, [input], copyStreams);
    expect(streams(described)).toEqual(
      expected.map(
        (text, at) => ['video ', 'audio ', 'subtitle ', ''][at] + (at === 1 ? `${text} ger "Kommentar"` : text),
      ),
    );
    expect(tagsOf(described)).toEqual(['A title', 'Somebody', '2021']);
    expect(described.streams[1]?.flags).toContain('default');
    const cues = described.streams[2]?.cues.filter(([, bytes]) => bytes !== '\0\0') ?? [];
    expect(cues.map(([seconds]) => seconds)).toEqual([expect.closeTo(0.5, 1), expect.closeTo(2, 1)]);
    expect(cues.map(([, bytes]) => bytes.replace(/^\0./s, '').replace('&amp;', '&'))).toEqual([
      'Buongiorno !',
      'Due\nrighe & altro',
    ]);
  });

  it('keeps only its languages in MPEG-TS, with notes about the rest', async () => {
    const described = await run('convert_format', 'ts', ['rich.mp4']);
    expect(streams(described)).toEqual(['video h264', 'audio aac ger']);
    expect(described.notes.every(({ input }) => input === 0)).toBe(true);
    expect(described.notes.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      'stream_left_out: The mov_text subtitle (input 1, stream 2) was left out: MPEG-TS cannot store it.',
      'stream_left_out: The png cover image (input 1, stream 4) was left out: MPEG-TS cannot store it.',
      'chapters_left_out: The chapters of input 1 were left out: MPEG-TS cannot store them.',
      'rotation_lost: The h264 video of input 1 will play without its rotation: MPEG-TS cannot store it.',
    ]);
  });
});

describe('an audio file', () => {
  it.each<[OutputContainer, MediaName, boolean, string[]]>([
    ['m4a', 'rich.mp4', true, ['audio aac ger', 'cover png']],
    ['m4a', 'rich.mp4', false, ['audio aac ger', 'cover png']],
    ['mp3', 'rich.mp3', true, ['audio mp3', 'cover png']],
    ['flac', 'rich.mp3', false, ['audio flac', 'cover png']],
    ['mkv', 'rich.mp3', true, ['audio mp3', 'cover png']],
    ['aac', 'rich.mp4', true, ['audio aac']],
    ['wav', 'rich.mp3', true, ['audio mp3']],
    ['ogg', 'rich.webm', true, ['audio opus ger']],
    ['opus', 'rich.webm', true, ['audio opus ger']],
  ])('keeps its metadata: %s from %s (copied: %s)', async (ext, input, copyStreams, expected) => {
    const described = await run('extract_audio', ext, [input], copyStreams);
    expect(streams(described)).toEqual(expected);
    expect(tagsOf(described)).toEqual(['A title', 'Somebody', '2021']);
  });
});

it('preserves the cover of a Matroska file', async () => {
  await run('convert_format', 'mkv', ['rich.mp3']);
  renameSync(media.file('result.mkv'), media.file('rich.mp3'));
  expect(streams(await run('join_streams', 'mkv', ['rich.mp3']))).toEqual(['audio mp3', 'cover png']);
  expect(streams(await run('join_streams', 'mp3', ['rich.mp3']))).toEqual(['audio mp3', 'cover png']);
});
