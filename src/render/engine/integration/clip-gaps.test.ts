/** @module-tag long */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Clip } from '../../../contract/clip.ts';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { trackOf } from '../testing/packet-times.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { readPackets } from '../testing/read-packets.ts';
import { describeMedia, type MediaDirectory, type MediaName, makeMedia } from '../testing/test-media.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('video-gap.mkv', 'slides.mp4', 'slides.ts');
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

describe('a clip between two frames that are far apart', () => {
  // Only containers that hide frames can store a copy whose later frames are decoded before the clip.
  it.each<[MediaName, Clip, OutputContainer, boolean]>([
    ['slides.ts', { start: 10, end: 12 }, 'mp4', true],
    ['slides.ts', { start: 10, end: 12 }, 'mkv', true],
    ['slides.ts', { start: 10, end: 12 }, 'ts', true],
    ['slides.ts', { start: 10, end: 12 }, 'mp4', false],
    ['slides.ts', { start: 10, end: 12 }, 'mkv', false],
    ['slides.ts', { start: 10, end: 12 }, 'ts', false],
    ['slides.mp4', { start: 23, end: 25 }, 'mp4', true],
    ['slides.mp4', { start: 23, end: 25 }, 'mp4', false],
    ['slides.mp4', { start: 23, end: 25 }, 'mkv', false],
    ['slides.mp4', { start: 23, end: 25 }, 'webm', false],
    ['video-gap.mkv', { start: 23, end: 25 }, 'mp4', true],
    ['video-gap.mkv', { start: 23, end: 25 }, 'mkv', false],
  ])('displays the first one: %s, %j to %s, copied %j', async (name, clip, ext, copyStreams) => {
    const { path, report } = await processAndVerify(engine, media, { inputs: [name], ext, copyStreams, clip });
    expect((await describeMedia(path)).streams.map(({ kind }) => kind)).toEqual(['video', 'audio']);
    expect(report.notes.filter(({ code }) => code !== 'clip_starts_at_key_frame')).toEqual([]);
    if (!copyStreams) expect(report.duration).toBeCloseTo(2, 1);
  });

  it.each<[MediaName, Clip, readonly number[]]>([
    ['slides.ts', { start: 5, end: 20 }, [0, 3, 11]],
    ['slides.mp4', { start: 18, end: 65 }, [0, 2, 22, 42]],
  ])('displays each frame from its time on when it is encoded: %s, %j', async (name, clip, times) => {
    const conversion = { inputs: [name], ext: 'mp4', copyStreams: false, clip } as const;
    const { path } = await processAndVerify(engine, media, conversion);
    const { packets } = trackOf(await readPackets(path), 'video');
    expect(packets.map(({ time }) => Math.round(time)).toSorted((a, b) => a - b)).toEqual(times);
  });
});
