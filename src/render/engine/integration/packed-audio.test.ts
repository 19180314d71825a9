import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstRows } from '../../../../test/support/first-rows.ts';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import { containerFormats } from '../formats/container-formats.ts';
import type { EngineInput, InputPart } from '../tasks/task.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { makeFile } from '../testing/make-file.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { describeMedia, type MediaDirectory, makeMedia, mediaSeconds } from '../testing/test-media.ts';
import { timestampTag } from '../testing/timestamp-tag.ts';
import { mpegClockTicks } from '../timing/clock-turns.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('a.aac', 'v.ts', 'forty-v.ts', 'wrap.ts', 'av.ts');
  const { aac, mp3, mkv } = containerFormats;
  const raw = (muxer: string) => ({ ...mkv, muxer, muxerOptions: {} });
  const plain = { ...mp3, muxerOptions: { write_xing: '0', id3v2_version: '0' } };
  await makeFile(media.file('a.mp3'), { container: plain, audio: mp3.encoders.audio });
  await makeFile(media.file('a.ac3'), { container: raw('ac3'), audio: [{ name: 'ac3', options: {} }] });
  await makeFile(media.file('a.eac3'), { container: raw('eac3'), audio: [{ name: 'eac3', options: {} }] });
  await makeFile(media.file('a.aac'), { container: raw('adts'), audio: aac.encoders.audio });
  for (const name of ['v.ts', 'forty-v.ts', 'wrap.ts'] as const)
    firsts[name] = (await describeMedia(media.file(name))).streams[0]?.first ?? Number.NaN;
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

/** First timestamps of videos, in seconds; negative before a clock wraps around. */
const firsts = { 'v.ts': 0, 'forty-v.ts': 0, 'wrap.ts': 0 };

/** Writes segments of packed audio, each with the frames of a file, that begin at the given times, in seconds. */
function packAudio(name: string, from: string, starts: readonly number[]): string {
  const frames = readFileSync(media.file(from));
  const segments = starts.flatMap((start) => {
    return [timestampTag((Math.round(start * 90_000) + mpegClockTicks) % mpegClockTicks), frames];
  });
  writeFileSync(media.file(name), Buffer.concat(segments));
  return name;
}

const part = (name: string, duration = mediaSeconds): InputPart => ({ path: media.file(name), duration });
const input = (name: string, duration?: number): EngineInput => ({ ...part(name, duration), jobInput: 0 });

/** Returns when the video and the audio of a result begin and end, in seconds. */
async function timesOf(
  inputs: readonly EngineInput[],
  ext: OutputContainer,
  copyStreams = true,
  clip?: { start: number },
) {
  const { path, report } = await processAndVerify(engine, media, {
    ...{ inputs, ext, copyStreams, type: 'join_streams' },
    ...(clip && { clip }),
  });
  const { streams } = await describeMedia(path);
  const [video, audio] = [streams[0], streams.at(-1)];
  return { zero: video?.first ?? 0, video, audio: { first: audio?.first ?? 0, end: audio?.end ?? 0 }, report };
}

describe.each(firstRows(1, ['aac', 'mp3', 'ac3', 'eac3']))(
  'packed audio beside video in MPEG-TS',
  ({ rows, options }) => {
    describe.each(rows)('in %s', options, (codec) => {
      it.each<[OutputContainer, boolean]>([
        ['mp4', true],
        ['mkv', true],
        ['ts', true],
        ['mkv', false],
      ])('begins when its timestamp says in %s, copied: %j', async (ext, copyStreams) => {
        const audio = packAudio(`two.${codec}`, `a.${codec}`, [firsts['v.ts'] + 2]);
        const { zero, audio: times } = await timesOf([input('v.ts'), input(audio)], ext, copyStreams);
        expect(Math.abs(times.first - zero - 2)).toBeLessThan(0.1);
        expect(Math.abs(times.end - zero - 2 - mediaSeconds)).toBeLessThan(0.2);
      });

      it('keeps its gaps, and loses its tags', async () => {
        const audio = packAudio(`gap.${codec}`, `a.${codec}`, [firsts['forty-v.ts'], firsts['forty-v.ts'] + 6.5]);
        const { audio: times, zero } = await timesOf([input('forty-v.ts', 40), input(audio, 8)], 'mkv');
        expect(Math.abs(times.end - zero - 6.5 - mediaSeconds)).toBeLessThan(0.2);
        expect(readFileSync(media.file('result.mkv')).includes('transportStreamTimestamp')).toBe(false);
      });
    });
  },
);

describe('packed audio', () => {
  it('keeps its place far from the beginning of the video', async () => {
    const audio = packAudio('far.aac', 'a.aac', [firsts['forty-v.ts'] + 25]);
    const { audio: times, zero } = await timesOf([input('forty-v.ts', 40), input(audio)], 'mp4');
    expect(Math.abs(times.first - zero - 25)).toBeLessThan(0.15);
  });

  it('shares a clock that wraps around before or within it', async () => {
    const first = firsts['wrap.ts'];
    for (const start of [0.5, 1.8, 3]) {
      const audio = packAudio('wrap.aac', 'a.aac', [first + start]);
      const { audio: times, zero } = await timesOf([input('wrap.ts'), input(audio)], 'mkv');
      expect(Math.abs(times.first - zero - start)).toBeLessThan(0.15);
    }
    const audio = packAudio('turn.aac', 'a.aac', [first, first + mediaSeconds + 0.1]);
    const { audio: times } = await timesOf([input('wrap.ts'), input(audio, 8)], 'mkv');
    expect(Math.abs(times.end - times.first - 2 * mediaSeconds)).toBeLessThan(0.3);
  });

  it('begins each section with the video', async () => {
    const audio = [0.5, 30].map((start, at) => packAudio(`section-${at}.aac`, 'a.aac', [firsts['v.ts'] + start]));
    const inSection = (name: string, section: number) => ({ ...part(name), section });
    const [first = '', second = ''] = audio;
    const inputs = [
      { ...input('v.ts'), followedBy: [inSection('v.ts', 1)] },
      { ...input(first), followedBy: [inSection(second, 1)] },
    ];
    const { audio: times, zero, report } = await timesOf(inputs, 'mkv');
    expect(Math.abs(times.first - zero - 0.5)).toBeLessThan(0.15);
    expect(report.duration).toBeLessThan(2 * mediaSeconds + 5);
  });

  it('keeps its place in a clip', async () => {
    const audio = packAudio('clip.aac', 'a.aac', [firsts['v.ts'] + 2]);
    const { audio: times, zero } = await timesOf([input('v.ts'), input(audio)], 'mkv', false, { start: 1 });
    expect(Math.abs(times.first - zero - 1)).toBeLessThan(0.15);
  });

  it('continues if the timestamps of all segments are the same', async () => {
    const audio = packAudio('same.aac', 'a.aac', [firsts['forty-v.ts'], firsts['forty-v.ts']]);
    const { audio: times } = await timesOf([input('forty-v.ts', 40), input(audio, 8)], 'mkv');
    expect(Math.abs(times.end - times.first - 2 * mediaSeconds)).toBeLessThan(0.3);
  });
});
