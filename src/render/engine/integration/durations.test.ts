/** @module-tag long */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Duration } from '../../../contract/encoding.ts';
import type { Engine } from '../engine.ts';
import type { ProbeReport } from '../tasks/report.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { type MediaDirectory, type MediaName, makeMedia } from '../testing/test-media.ts';
import { verifyResult } from '../verification/verify-result.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('large.mp4', 'av.mp4', 'fast.mp4', 'a.m4a', 'v.mp4', 'long-audio.mp4', 'av.ts');
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

/** Videos of 2 and 4 s, with audio of 4 and 2 s. */
const longerAudio: readonly MediaName[] = ['large.mp4', 'a.m4a'];
const shorterAudio: readonly MediaName[] = ['av.mp4', 'fast.mp4'];

function expectEnds(probe: ProbeReport, video: number, audio: number): void {
  const ends = endsOf(probe);
  for (const [at, expected] of [video, audio].entries()) {
    expect(Math.abs((ends[at] ?? 0) - expected)).toBeLessThan(maxDifference);
  }
}

/** Returns how long the video and the audio of a result play, in seconds. */
function endsOf({ streams }: ProbeReport): number[] {
  const extents = streams.flatMap(({ kind, stats }) =>
    stats === undefined ? [] : [{ kind, ...(stats.plays ?? stats) }],
  );
  const start = Math.min(...extents.map(({ first }) => first));
  return (['video', 'audio'] as const).map((kind) => {
    return Math.max(...extents.flatMap((extent) => (extent.kind === kind ? [extent.end - start] : [])));
  });
}

/** Copies keep a few frames after the end, if earlier frames need them. */
const maxDifference = 0.2;

describe('the duration of a result', () => {
  type Case = [Duration | undefined, readonly MediaName[], copyStreams: boolean, video: number, audio: number];
  const cases: Case[] = [
    [undefined, longerAudio, true, 2, 4],
    ['longest', longerAudio, true, 2, 4],
    ['shortest', longerAudio, true, 2, 2],
    ['video', longerAudio, true, 2, 2],
    ['longest', shorterAudio, true, 4, 2],
    ['shortest', shorterAudio, true, 2, 2],
    // Copied audio cannot be filled with silence.
    ['video', shorterAudio, true, 4, 2],
    ['shortest', longerAudio, false, 2, 2],
    ['video', longerAudio, false, 2, 2],
    ['longest', shorterAudio, false, 4, 2],
    ['shortest', shorterAudio, false, 2, 2],
    ['video', shorterAudio, false, 4, 4],
  ];
  const containers: OutputContainer[] = ['mp4', 'mov', 'mkv', 'ts'];

  it.each(containers.flatMap((ext) => [...cases.map((each) => [ext, ...each] as const)]))(
    'in %s is %s of %j, with copyStreams %s: video %d s, audio %d s',
    async (ext, duration, inputs, copyStreams, video, audio) => {
      const { probe } = await processAndVerify(engine, media, {
        ...{ inputs, ext, type: 'replace_audio_in_video', copyStreams },
        ...(duration && { duration }),
      });
      expectEnds(probe, video, audio);
    },
  );

  it.each<[Duration, readonly MediaName[], ext: OutputContainer, copyStreams: boolean, video: number, audio: number]>([
    ['longest', ['large.mp4', 'a.m4a'], 'mp4', true, 2, 4],
    ['shortest', ['large.mp4', 'a.m4a'], 'mp4', true, 2, 2],
    ['video', ['large.mp4', 'a.m4a'], 'mkv', true, 2, 2],
    ['shortest', ['av.mp4', 'fast.mp4'], 'mkv', true, 2, 2],
    ['video', ['av.mp4', 'fast.mp4'], 'mp4', true, 4, 4],
    ['video', ['long-audio.mp4', 'fast.mp4'], 'ts', true, 2, 2],
    ['shortest', ['av.ts', 'fast.mp4'], 'webm', false, 2, 2],
    ['video', ['av.mp4', 'a.m4a'], 'webm', false, 4, 4],
    // A mix is filled with silence in copies, too, because its audio is encoded.
    ['video', ['v.mp4', 'fast.mp4'], 'mp4', false, 4, 4],
  ])('of a mix is %s of %j in %s, with copyStreams %s', async (duration, inputs, ext, copyStreams, video, audio) => {
    const { probe } = await processAndVerify(engine, media, {
      ...{ inputs, ext, type: 'mix_audio_and_video', copyStreams, duration },
    });
    expectEnds(probe, video, audio);
  });

  it('ends within a clip', async () => {
    const { probe } = await processAndVerify(engine, media, {
      ...{ inputs: shorterAudio, ext: 'mp4', type: 'replace_audio_in_video', copyStreams: false, duration: 'video' },
      clip: { start: 1, end: 3.5 },
    });
    expectEnds(probe, 2.5, 2.5);
  });

  it('is refused for a clip that begins after it', async () => {
    const result = processAndVerify(engine, media, {
      ...{ inputs: shorterAudio, ext: 'mp4', type: 'replace_audio_in_video', duration: 'shortest' },
      clip: { start: 3 },
    });
    await expect(result).rejects.toMatchObject({ code: 'clip_out_of_range' });
  });
});

describe('the verification', () => {
  it.each<[Duration, readonly MediaName[], boolean]>([
    ['shortest', longerAudio, true],
    ['shortest', shorterAudio, true],
    ['video', longerAudio, true],
    ['video', shorterAudio, false],
  ])('refuses a result that is not %s of %j', async (duration, inputs, copyStreams) => {
    const { report, probe } = await processAndVerify(engine, media, {
      ...{ inputs, ext: 'mkv', type: 'replace_audio_in_video', copyStreams, duration },
    });
    const { ends } = report;
    if (ends === undefined) throw new Error('the report contains no ends');
    const wrong = { video: ends.video + 2, audio: ends.audio + 2 };
    expect(() => verifyResult({ ...report, ends: wrong }, probe, undefined, duration)).toThrow(/failed verification/);
    const { ends: _, ...without } = report;
    expect(() => verifyResult(without, probe, undefined, duration)).toThrow(/the ends of its inputs/);
  });

  it('refuses audio that silence should fill, but does not', async () => {
    const { report, probe } = await processAndVerify(engine, media, {
      ...{ inputs: shorterAudio, ext: 'mkv', type: 'replace_audio_in_video', copyStreams: false, duration: 'video' },
    });
    const cut = probe.streams.map((stream) => {
      const { stats } = stream;
      return stream.kind !== 'audio' || stats === undefined
        ? stream
        : { ...stream, stats: { ...stats, last: 2, end: 2 } };
    });
    expect(() => verifyResult(report, { ...probe, streams: cut }, undefined, 'video')).toThrow(/its audio plays 2.0 s/);
  });
});
