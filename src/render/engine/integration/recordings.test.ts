import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Clip } from '../../../contract/clip.ts';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { moveFragments } from '../testing/move-fragments.ts';
import { startsOf, trackOf } from '../testing/packet-times.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { readPackets } from '../testing/read-packets.ts';
import { describeMedia, type MediaDirectory, makeMedia } from '../testing/test-media.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('recorded.webm', 'recorded.mp4', 'fragmented.mp4');
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

async function run(name: string, ext: OutputContainer, copyStreams = true, clip?: Clip) {
  const job = { inputs: [name], ext, copyStreams, ...(clip && { clip }) };
  const { path, report } = await processAndVerify(engine, media, job);
  expect(report.notes).toEqual([]);
  return path;
}

/** Returns the starts of the frames, relative to the start of the audio without its priming. */
async function pictures(path: string): Promise<number[]> {
  const [tracks, { streams }] = [await readPackets(path), await describeMedia(path)];
  const audio = streams.find(({ kind }) => kind === 'audio')?.first ?? Number.NaN;
  return startsOf(trackOf(tracks, 'video')).map((time) => Math.round((time - Math.max(0, audio)) * 100) / 100);
}

/** Returns the longest times between two packets of the video and the audio. */
async function pauses(path: string): Promise<number[]> {
  return (await readPackets(path)).map((track) => {
    const starts = startsOf(track);
    return Math.max(...starts.slice(1).map((start, at) => start - (starts[at] ?? 0)));
  });
}

describe('a paused recording of a browser', () => {
  it.each<['recorded.webm' | 'recorded.mp4', OutputContainer, boolean]>([
    ['recorded.webm', 'webm', true],
    ['recorded.webm', 'mp4', true],
    ['recorded.webm', 'mp4', false],
    ['recorded.mp4', 'mp4', true],
    ['recorded.mp4', 'ts', true],
    ['recorded.mp4', 'mkv', false],
  ])('is complete and in sync: %s in %s (copied: %s)', async (name, ext, copyStreams) => {
    const path = await run(name, ext, copyStreams);
    expect(await pictures(path)).toEqual(await pictures(media.file(name)));
    const [video, audio = Number.NaN] = await pauses(path);
    expect(video).toBeCloseTo(5.04, 2);
    // The audio that is encoded fills the pause with silence.
    expect(audio).toBeCloseTo(copyStreams ? 5.02 : 0.02, 1);
  });

  it.each(['recorded.webm', 'recorded.mp4'])('is cut to a clip over its pause: %s', async (name) => {
    const shown = (await pictures(media.file(name))).filter((time) => time >= 1 && time < 8);
    const expected = shown.map((time) => Math.round((time - 1) * 100) / 100);
    expect(await pictures(await run(name, 'mp4', false, { start: 1, end: 8 }))).toEqual(expected);
  });

  it.each(['recorded.webm', 'recorded.mp4'])('is refused if it ends within a block or a fragment: %s', async (name) => {
    const file = readFileSync(media.file(name));
    writeFileSync(media.file('cut'), file.subarray(0, Math.floor(file.length * 0.7)));
    await expect(run('cut', 'mp4')).rejects.toMatchObject({
      code: 'input_incomplete',
      message: expect.stringMatching(/^Input 1 is cut short: its last part .*needs \d+ bytes/),
    });
  });
});

describe('fragments with negative decoding times', () => {
  it.each<[OutputContainer, boolean]>([
    ['mp4', true],
    ['mkv', true],
    ['ts', true],
    ['mp4', false],
  ])('begin at the start of the result, in sync: %s (copied: %s)', async (ext, copyStreams) => {
    const file = readFileSync(media.file('fragmented.mp4'));
    writeFileSync(media.file('negative.mp4'), moveFragments(file, -2.5));
    expect(await pictures(await run('negative.mp4', ext, copyStreams))).toEqual(
      await pictures(media.file('fragmented.mp4')),
    );
  });
});
