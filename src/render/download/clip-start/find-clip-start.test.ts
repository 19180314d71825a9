import { describe, expect, test } from 'vitest';
import { parsePlaylist } from '../../../hls/testing/parse-playlist.ts';
import { runSteps } from '../../../waiting/steps.ts';
import { muxTransportStream, type TestPes } from '../../engine/testing/transport-stream.ts';
import { findClipStart } from './find-clip-start.ts';
import type { SegmentReader } from './read-segment.ts';
import { audioLag, readTransportStreamVideo } from './transport-stream-video.ts';

/**
 * A frame of a segment: `K` is a key frame with parameter sets, `k` one without, and `p` refers to earlier frames. So does
 * `b`, which is displayed before the key frame.
 */
type FrameKind = 'K' | 'k' | 'p' | 'b';

const unit = (...bytes: readonly number[]) => Buffer.from([0, 0, 0, 1, ...bytes]);
const sets = [unit(0x67, 0x42, 0xc0, 0x0a), unit(0x68, 0xce, 0x38)];
const keySlice = unit(0x65, 0x88, 0x84);
const slice = unit(0x61, 0xc0, 0x40);
const payloads: Readonly<Record<FrameKind, Buffer>> = {
  K: Buffer.concat([...sets, keySlice]),
  k: keySlice,
  p: slice,
  b: slice,
};

/** Seconds between two frames. */
const frameSeconds = 0.5;

/** Returns a segment with these frames. */
function segmentOf(kinds: string, startSeconds: number): Buffer {
  const packets = [...kinds].map((kind, at): TestPes => {
    const time = Math.round((10 + startSeconds + at * frameSeconds) * 90_000);
    const pts = kind === 'b' ? time - 1.2 * frameSeconds * 90_000 : time;
    return { kind: 'video', pts, dts: Math.min(pts, time), payload: payloads[kind as FrameKind] };
  });
  return muxTransportStream(packets);
}

const readVideo = (segment: Buffer) => runSteps(readTransportStreamVideo(segment));

/** Lets a clip of a playlist begin at a segment, and returns the segments that it is to begin with. */
async function startOf(texts: readonly string[], clipStart: number, firstAt: number, tags: readonly string[] = []) {
  const seconds = texts.map((kinds) => kinds.length * frameSeconds);
  const lines = seconds.flatMap((duration, at) => [tags[at] ?? '', `#EXTINF:${duration},`, `${at}.ts`]);
  const text = ['#EXTM3U', '#EXT-X-TARGETDURATION:9', ...lines.filter((line) => line !== ''), '#EXT-X-ENDLIST'];
  const media = parsePlaylist(text.join('\n'), 'https://cdn.example/media.m3u8');
  if (media.kind !== 'media') throw new Error('it is a media playlist');
  const starts = seconds.map((_, at) => seconds.slice(0, at).reduce((sum, duration) => sum + duration, 0));
  const read: number[] = [];
  const bytesOf = ({ sequence }: { readonly sequence: number }) => {
    read.push(sequence);
    return segmentOf(texts[sequence] ?? '', starts[sequence] ?? 0);
  };
  const reader: SegmentReader = {
    readHead: async (segment) => ({ bytes: bytesOf(segment), isWhole: true }),
    read: async (segment) => ({ bytes: bytesOf(segment), isWhole: true }),
  };
  const clipped = { segments: media.segments.slice(firstAt), start: starts[firstAt] ?? 0 };
  const { segments, start, setup } = await findClipStart(clipped, media, { start: clipStart }, reader);
  const [first] = segments;
  const begin = Buffer.concat([setup ?? Buffer.alloc(0), segmentOf(texts[first?.sequence ?? 0] ?? '', start)]);
  return { first: first?.sequence, start, read, hasSetup: setup !== undefined, begin };
}

describe('the segments of a clip begin', () => {
  test.each([
    ['at one that begins with a key frame', ['Kppp', 'Kppp', 'Kppp'], 2.7, 1, 1],
    ['at the one before, if they begin between key frames', ['Kppp', 'pppp', 'Kppp'], 2.7, 1, 0],
    ['several segments before', ['Kp', 'pp', 'pp', 'pp'], 3.6, 3, 0],
    ['at a segment whose key frame is before the clip', ['Kppppp', 'pKpppp'], 5.1, 1, 1],
    ['at the one before, if the key frame may be after the start of the clip', ['Kppppp', 'ppppKp'], 5.1, 1, 0],
    ['where they are, without any key frame', ['pppp', 'pppp'], 2.7, 1, 1],
    ['at the first segment that the clip overlaps, if it begins with the media', ['pppp', 'Kppp'], 0, 0, 0],
  ])('%s', async (_what, texts, clipStart, firstAt, expected) => {
    const { first, start } = await startOf(texts, clipStart, firstAt);
    expect(first).toBe(expected);
    expect(start).toBe(texts.slice(0, expected).reduce((sum, kinds) => sum + kinds.length * frameSeconds, 0));
  });

  test.each([
    ['a discontinuity', '#EXT-X-DISCONTINUITY'],
    ['a missing segment', '#EXT-X-GAP'],
  ])('no earlier than %s', async (_what, tag) => {
    const tags = tag === '#EXT-X-GAP' ? ['', tag] : ['', '', tag];
    const { first } = await startOf(['Kppp', 'Kppp', 'pppp'], 4.7, 2, tags);
    expect(first).toBe(2);
  });

  test('where they are, after a limited number of segments', async () => {
    const { first, read } = await startOf(['K', ...Array.from({ length: 99 }, () => 'p')], 48, 95);
    expect(first).toBe(95);
    expect(read).toHaveLength(65);
  });

  test('with the first frame that is displayed, if that follows the key frame in the file', async () => {
    const { first, start } = await startOf(['Kppp', 'Kbpp'], 2.7, 1);
    expect([first, start]).toEqual([1, expect.closeTo(2 - 0.2 * frameSeconds)]);
  });

  test('with the parameter sets of the first segment, if they lack them', async () => {
    const { first, hasSetup, begin } = await startOf(['Kppp', 'kppp', 'kppp'], 4.7, 2);
    expect({ first, hasSetup }).toEqual({ first: 2, hasSetup: true });
    const video = readVideo(begin);
    expect(video?.frames.slice(0, 3)).toEqual([
      { seconds: 0, isKey: false, hasParameterSets: true },
      { seconds: 0, isKey: true, hasParameterSets: true },
      { seconds: frameSeconds, isKey: false, hasParameterSets: true },
    ]);
    expect(begin.length % 188).toBe(0);
    const counters = countersOf(begin, video?.pid);
    expect(counters).toEqual(counters.map((_, at) => ((counters[0] ?? 0) + at) & 0xf));
  });

  test('without parameter sets, if no segment has any', async () => {
    const { first, hasSetup } = await startOf(['kppp', 'kppp'], 2.7, 1);
    expect({ first, hasSetup }).toEqual({ first: 1, hasSetup: false });
  });
});

test('a segment that is disguised as a picture is read from its first packet', () => {
  const disguise = Buffer.concat([Buffer.from('\x89PNG', 'latin1'), Buffer.alloc(300, 0x47)]);
  expect(readVideo(Buffer.concat([disguise, segmentOf('Kppp', 0)]))?.frames).toHaveLength(4);
  expect(readVideo(disguise)).toBeUndefined();
});

test('the audio of a segment begins before its first frame, or after it, or is not there', () => {
  const lagOf = (...packets: readonly TestPes[]) => {
    const video = readVideo(muxTransportStream(packets));
    return video && audioLag(video);
  };
  const frame: TestPes = { kind: 'video', pts: 900_000, dts: 900_000, payload: payloads.K };
  const audioAt = (pts: number): TestPes => ({ kind: 'audio', pts, dts: pts, payload: Buffer.alloc(64, 1) });
  expect(lagOf(frame, audioAt(895_500), audioAt(897_000))).toBeCloseTo(-0.05);
  expect(lagOf(audioAt(909_000), frame)).toBeCloseTo(0.1);
  expect(lagOf(frame)).toBeUndefined();
});

/** Returns the continuity counters of the packets of a stream. */
function countersOf(bytes: Buffer, pid: number | undefined): number[] {
  const counters: number[] = [];
  for (let at = 0; at < bytes.length; at += 188) {
    if ((bytes.readUInt16BE(at + 1) & 0x1fff) === pid) counters.push(bytes.readUInt8(at + 3) & 0xf);
  }
  return counters;
}
