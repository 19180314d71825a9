import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../engine.ts';
import { changeMp4, dropSyncSamples, setEdits, type TestEdit } from '../testing/change-mp4.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { type PacketTrack, readPackets } from '../testing/read-packets.ts';
import { describeMedia, type MediaDirectory, makeMedia } from '../testing/test-media.ts';
import { verifyResult } from '../verification/verify-result.ts';

/**
 * Ticks per video frame. The video has 25 frames per second, and every 25th frame is a keyframe. The tracks have 12,800
 * and 44,100 ticks per second.
 */
const frameTicks = 512;
/** Start of the video and the audio in the unchanged file, as its own edit lists state it. */
const firsts = { video: 1024, audio: 2048 };

/** Duration of an audio frame in seconds. An edit list cuts the last frame short, but a copy contains all of it. */
const audioFrame = 1024 / 44_100;

let media: MediaDirectory;
let engine: Engine;
/** Seconds by which the audio of the unchanged file outlasts its video. */
let wholeLag = 0;
let whole: { readonly video: PacketTrack; readonly audio: PacketTrack };
beforeAll(async () => {
  media = await makeMedia('gop.mp4');
  engine = createInProcessEngine();
  whole = only(await readPackets(media.file('gop.mp4')));
  wholeLag = await lag(media.file('gop.mp4'));
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

function only(tracks: readonly PacketTrack[]) {
  const [video, audio] = [tracks.find(({ kind }) => kind === 'video'), tracks.find(({ kind }) => kind === 'audio')];
  if (video === undefined || audio === undefined) throw new Error('the file lacks a track');
  return { video, audio };
}

async function lag(path: string): Promise<number> {
  const { streams } = await describeMedia(path);
  const end = (kind: string) => streams.find((stream) => stream.kind === kind)?.end ?? Number.NaN;
  return end('audio') - end('video');
}

/** An edit: its duration in milliseconds, and the frame at which it begins; -1 for an empty edit. */
type Stretch = readonly [milliseconds: number, frame: number];

const edits = (stretches: readonly Stretch[], ticksOf: (frame: number) => number) => {
  return stretches.map(([length, frame]): TestEdit => [length, frame < 0 ? -1 : ticksOf(frame)]);
};

/**
 * Cuts both tracks in the same way, and copies the file. `unmarked` is the number of keyframes, counted from the first,
 * that the file's index does not list.
 */
async function copyCut(ext: 'mp4' | 'mov' | 'mkv', stretches: readonly Stretch[], unmarked: number) {
  const [path, result] = [media.file('cut.mp4'), media.file(`result.${ext}`)];
  const file = changeMp4(
    readFileSync(media.file('gop.mp4')),
    dropSyncSamples(0, unmarked),
    setEdits(
      0,
      edits(stretches, (frame) => firsts.video + frame * frameTicks),
    ),
    setEdits(
      1,
      edits(stretches, (frame) => firsts.audio + (frame * 44_100) / 25),
    ),
  );
  writeFileSync(path, file);
  const { signal } = new AbortController();
  const report = await engine.process(
    {
      directory: media.path,
      inputs: [{ path }],
      output: { path: result, ext },
      operation: { type: 'convert_format', copyStreams: true },
      maxOutputBytes: 1e7,
    },
    { signal },
  );
  verifyResult(report, await engine.probe({ directory: media.path, path: result, ext }, { signal }));
  return only(await readPackets(result));
}

/**
 * Returns the time in a copy, in seconds, of a frame of the whole file. If the copy contains it twice, the last one
 * counts.
 */
function timeOf(frame: number, { packets }: PacketTrack): number {
  const hash = whole.video.packets.toSorted((a, b) => a.time - b.time)[frame]?.hash;
  const match = packets.findLast((packet) => packet.hash === hash);
  if (match === undefined) throw new Error(`frame ${frame} is not in the result`);
  return match.time;
}

describe('a copy of an edited file', () => {
  const cases: [what: string, ext: 'mp4' | 'mov' | 'mkv', stretches: readonly Stretch[], unmarked: number][] = [
    ['from a keyframe', 'mp4', [[3000, 25]], 0],
    ['from between two keyframes', 'mp4', [[2320, 42]], 0],
    ['from between two keyframes', 'mkv', [[2320, 42]], 0],
    ['from before the first marked keyframe', 'mp4', [[2800, 30]], 2],
    ['from before the first marked keyframe', 'mov', [[3600, 10]], 2],
    ['from before the first marked keyframe', 'mkv', [[2320, 42]], 2],
    ['from the start, without a marked keyframe there', 'mp4', [[4000, 0]], 1],
    [
      'delayed',
      'mp4',
      [
        [700, -1],
        [4000, 0],
      ],
      0,
    ],
    [
      'delayed and cut',
      'mkv',
      [
        [700, -1],
        [2320, 42],
      ],
      2,
    ],
  ];

  it.each(cases)('keeps audio and video in sync: %s, into %s', async (_what, ext, stretches, unmarked) => {
    const [, frame] = stretches.at(-1) ?? [0, 0];
    const { video } = await copyCut(ext, stretches, unmarked);
    const moved = timeOf(99, video) - timeOf(99, whole.video);
    expect(timeOf(frame, video) - timeOf(frame, whole.video)).toBeCloseTo(moved, 2);
    expect(Math.abs((await lag(media.file(`result.${ext}`))) - wholeLag)).toBeLessThan(audioFrame);
  });

  it.each([
    ['from the start', [[1000, 0]]],
    ['from the middle', [[400, 30]]],
  ] as const)('passes verification if it ends before the first listed keyframe: %s', async (_what, stretches) => {
    const { video } = await copyCut('mp4', stretches, 2);
    expect(timeOf(stretches[0][1] + 5, video) - timeOf(stretches[0][1], video)).toBeCloseTo(0.2, 2);
  });

  it('contains only the cut-off frames that are needed', async () => {
    const { video } = await copyCut('mkv', [[400, 30]], 2);
    const frames = whole.video.packets.toSorted((a, b) => a.time - b.time).map(({ hash }) => hash);
    const places = video.packets.map(({ hash }) => frames.indexOf(hash));
    expect(Math.min(...places)).toBe(25);
    expect(Math.max(...places)).toBeLessThan(43);
  });

  it.each([
    [
      'one after the other',
      [
        [1000, 0],
        [1000, 50],
      ],
    ],
    [
      'backwards',
      [
        [1000, 50],
        [1000, 0],
      ],
    ],
  ] as const)('plays several edits at their times: %s', async (_what, stretches) => {
    const [first] = stretches;
    const last = stretches.at(-1) ?? first;
    const before = stretches.slice(0, -1).reduce((sum, [length]) => sum + length / 1000, 0);
    const { video } = await copyCut('mp4', stretches, 2);
    const end = timeOf(last[1] + 20, video);
    expect(end - timeOf(last[1] + 5, video)).toBeCloseTo(0.6, 2);
    const firstTime = video.packets.find(({ hash }) => hash === hashOf(first[1] + 5))?.time ?? Number.NaN;
    expect(end - firstTime).toBeCloseTo(before + 0.6, 2);
  });

  it('is refused if it pauses between two edits, because the media library would replay the beginning', async () => {
    const paused = copyCut(
      'mp4',
      [
        ...([
          [1000, 0],
          [500, -1],
          [1000, 50],
        ] as const),
      ],
      2,
    );
    await expect(paused).rejects.toMatchObject({
      code: 'source_unsupported',
      message:
        'The h264 video of input 1 pauses in the middle of its edit list, which Millrace cannot preserve. Use a file without such a pause.',
      input: 0,
    });
  });
});

function hashOf(frame: number): string | undefined {
  return whole.video.packets.toSorted((a, b) => a.time - b.time)[frame]?.hash;
}
