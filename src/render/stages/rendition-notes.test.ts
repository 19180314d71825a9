import { describe, expect, test } from 'vitest';
import { noteLimits } from '../../contract/output-notes.ts';
import type { Rendition } from '../../hls/master-playlist.ts';
import type { WrittenStream } from '../engine/tasks/report.ts';
import { missingAudioNotes, renditionNotes } from './rendition-notes.ts';

const rendition = (type: string, name?: string, language?: string): Rendition => ({
  type,
  groupId: 'group',
  ...(name === undefined ? {} : { name }),
  ...(language === undefined ? {} : { language }),
  isDefault: false,
  attributes: new Map(),
});
const inputOf = (skippedRenditions: readonly Rendition[]) => ({ files: [], skippedRenditions });

test("returns one note per kind, with the input's number and without kinds that the operation excludes", () => {
  const skippedRenditions = [
    rendition('AUDIO', 'Deutsch', 'de'),
    rendition('SUBTITLES', 'English'),
    rendition('VIDEO'),
  ];
  const notes = renditionNotes([{ files: [] }, inputOf(skippedRenditions)], 'join_streams');
  expect(notes.map(({ code, input }) => [code, input])).toEqual(Array(3).fill(['stream_left_out', 1]));
  expect(notes.map(({ message }) => message)).toEqual([
    '1 audio rendition of input 2 was left out, because only one per playlist is fetched: Deutsch (de).',
    '1 video rendition of input 2 was left out, because only one per playlist is fetched: unnamed.',
    '1 subtitle rendition of input 2 was left out, because subtitles of playlists are not fetched: English.',
  ]);
  expect(
    renditionNotes([inputOf(skippedRenditions)], 'extract_audio').map(({ message }) => message.slice(0, 11)),
  ).toEqual(['1 audio ren', '1 subtitle ']);
});

test('keeps notes short and readable, whatever a playlist contains', () => {
  const name = `\u001B[31m\u202E${'\u{1F3A5}'.repeat(1_000)}`;
  const [note] = renditionNotes([inputOf(Array(500).fill(rendition('SUBTITLES', name, name)))], 'join_streams');
  expect(note?.message.length).toBeLessThan(noteLimits.message);
  expect(note?.message).toMatch(/^500 subtitle renditions .* and 488 more\.$/);
  expect(note?.message).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
});

describe('the note about audio that a playlist declares', () => {
  /** Returns a stream of a result with the given sources, by the index of their inputs. */
  const stream = (kind: 'video' | 'audio', ...inputs: number[]): WrittenStream => {
    const sources = inputs.map((input) => ({ file: input, input, undecoded: 0 }));
    return { kind, codec: kind, origin: { action: inputs.length > 1 ? 'mix' : 'copy', sources } };
  };
  const declaring = { files: [], declaresAudio: true };
  const inClip = { code: 'stream_interrupted', message: 'Input 1 has no audio in the clip.', input: 0 } as const;

  test('names the input of which no audio is in the result', () => {
    const streams = [stream('video', 0), stream('audio', 1)];
    expect(missingAudioNotes([declaring, declaring], { streams, notes: [] }, 'join_streams')).toEqual([
      {
        code: 'stream_left_out',
        message: 'The playlist of input 1 declares audio, but none of it is in the result.',
        input: 0,
      },
    ]);
  });

  test.each<[string, Parameters<typeof missingAudioNotes>]>([
    ['the result has it', [[declaring], { streams: [stream('audio', 0)], notes: [] }, 'convert_format']],
    [
      'it is in a mix',
      [[declaring, declaring], { streams: [stream('audio', 0, 1)], notes: [] }, 'mix_audio_and_video'],
    ],
    ['the playlist declares none', [[{ files: [] }], { streams: [stream('video', 0)], notes: [] }, 'convert_format']],
    ['the operation excludes it', [[declaring], { streams: [stream('video', 0)], notes: [] }, 'extract_video']],
    [
      'a note says that the clip has none',
      [[declaring], { streams: [stream('video', 0)], notes: [inClip] }, 'convert_format'],
    ],
  ])('is absent if %s', (_what, parameters) => {
    expect(missingAudioNotes(...parameters)).toEqual([]);
  });
});
