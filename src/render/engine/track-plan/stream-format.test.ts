import { describe, expect, it } from 'vitest';
import { upright } from '../formats/orientation.ts';
import type { SourceStream } from './source-stream.ts';
import { formatDifference, pairStreams, type StreamFormat } from './stream-format.ts';

const stream = (
  kind: SourceStream['kind'],
  codec: string,
  index = 0,
  more: Partial<SourceStream> = {},
): SourceStream => {
  return { input: 0, jobInput: 0, index, kind, codec, cover: false, empty: false, ...more };
};

function format(kind: 'video' | 'audio', codec: string, extradata: number[] | null, more: Partial<StreamFormat> = {}) {
  const size = kind === 'video' ? { width: 640, height: 360 } : { width: 0, height: 0 };
  const sound = kind === 'audio' ? { sampleRate: 48_000, channels: 2 } : { sampleRate: 0, channels: 0 };
  const bytes = extradata === null ? null : Buffer.from(extradata);
  return { source: stream(kind, codec), ...size, orientation: upright, ...sound, extradata: bytes, ...more };
}

const sets = (...pps: number[]) => [0, 0, 0, 1, 0x67, 1, ...pps.flatMap((id) => [0, 0, 1, 0x68, id])];

describe('formatDifference', () => {
  it.each<[string, StreamFormat, StreamFormat, string | undefined]>([
    ['nothing', format('video', 'h264', sets(1)), format('video', 'h264', sets(1)), undefined],
    [
      'another codec',
      format('video', 'h264', null),
      format('video', 'hevc', null),
      'its video is hevc instead of h264',
    ],
    [
      'another number of channels',
      format('audio', 'aac', null),
      format('audio', 'aac', null, { channels: 1 }),
      'its audio is 1-channel instead of 2-channel',
    ],
    [
      'a parameter set that is not in the header',
      format('video', 'h264', sets(1)),
      format('video', 'h264', sets(2)),
      'its h264 video was encoded with other settings',
    ],
    [
      'no difference for a missing parameter set',
      format('video', 'h264', sets(1, 2)),
      format('video', 'h264', sets(2)),
      undefined,
    ],
    ['no difference from an unknown setup', format('video', 'h264', sets(1)), format('video', 'h264', []), undefined],
    [
      'another object type of AAC',
      format('audio', 'aac', [0x11, 0x90]),
      format('audio', 'aac', [0x29, 0x90]),
      'its aac audio was encoded with other settings',
    ],
    [
      'no difference for a longer description of the same setup',
      format('audio', 'aac', [0x11, 0x90]),
      format('audio', 'aac', [0x11, 0x90, 0x56]),
      undefined,
    ],
    [
      'another AV1 setup',
      format('video', 'av1', [1]),
      format('video', 'av1', [2]),
      'its av1 video was encoded with other settings',
    ],
  ])('reports: %s', (_what, first, later, expected) => {
    expect(formatDifference(first, later, 'mp4')).toBe(expected);
  });

  it('reports less in MPEG-TS, in which players find parameter sets before each frame', () => {
    expect(formatDifference(format('video', 'h264', sets(1)), format('video', 'h264', sets(2)), 'ts')).toBeUndefined();
    const inHead = [1, 100, 0, 31, 0xff, 0xe1, 0, 2, 0x67, 1, 1, 0, 2, 0x68, 2];
    const fromHead = format('video', 'h264', inHead.with(14, 3));
    expect(formatDifference(format('video', 'h264', inHead), fromHead, 'ts')).toMatch(/encoded with other settings/);
  });
});

describe('pairStreams', () => {
  it('pairs streams by kind and number, regardless of their order', () => {
    const first = [stream('video', 'h264', 0), stream('audio', 'aac', 1), stream('audio', 'ac3', 2)];
    const later = [stream('audio', 'aac', 0), stream('data', 'klv', 1), stream('video', 'hevc', 2)];
    expect(pairStreams(first, later)).toEqual([2, 0, undefined]);
  });

  it('pairs auxiliary streams by codec', () => {
    const first = [stream('data', 'timed_id3', 0), stream('subtitle', 'webvtt', 1)];
    const later = [stream('data', 'klv', 0), stream('data', 'timed_id3', 1), stream('subtitle', 'subrip', 2)];
    expect(pairStreams(first, later)).toEqual([1, undefined]);
  });

  it('does not pair empty streams or covers', () => {
    const first = [stream('audio', 'aac', 0), stream('video', 'h264', 1)];
    const later = [stream('audio', 'aac', 0, { empty: true }), stream('video', 'png', 1, { cover: true })];
    expect(pairStreams(first, later)).toEqual([undefined, undefined]);
  });
});
