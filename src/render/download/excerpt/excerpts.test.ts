import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { makeDash } from '../../engine/testing/make-dash.ts';
import { type MediaDirectory, makeMedia, mediaSeconds } from '../../engine/testing/test-media.ts';
import { planFromBytes } from './testing/plan-from-bytes.ts';
import { readWithMediabunny } from './testing/read-with-mediabunny.ts';

let media: MediaDirectory;
beforeAll(async () => {
  media = await makeMedia(
    ...(['gop.mp4', 'moov-last.mp4', 'av.mov', 'a.m4a', 'av.mkv', 'av.webm', 'a.webm', 'fragmented.mp4'] as const),
    ...(['v.mp4', 'late-audio.mp4', 'long-audio.mp4', 'rich.mp4', 'rich.mkv', 'late.mkv', 'turned.mp4'] as const),
    ...(['reordered-fragments.mp4', 'negative-offsets.mp4'] as const),
  );
  await makeDash(media.file('v.mp4'), media.file('dash-v.mp4'));
  await makeDash(media.file('a.m4a'), media.file('dash-a.mp4'));
});
afterAll(() => media.remove());

const files = [
  ...['gop.mp4', 'moov-last.mp4', 'av.mov', 'a.m4a', 'av.mkv', 'av.webm', 'a.webm', 'fragmented.mp4', 'v.mp4'],
  ...['late-audio.mp4', 'long-audio.mp4', 'rich.mp4', 'rich.mkv', 'late.mkv', 'turned.mp4', 'dash-v.mp4', 'dash-a.mp4'],
  ...['reordered-fragments.mp4', 'negative-offsets.mp4'],
];
/** Containers whose clusters or fragments count from the beginning with a rounded clock. */
const tolerance = 0.002;

/** Compares an excerpt with its source: the same packets at the same times, and all that the clip needs. */
async function compareWithSource(name: string, start: number, end: number): Promise<void> {
  const source = readFileSync(media.file(name));
  const plan = planFromBytes(source, { start, end });
  const [sourceTracks, tracks] = [await readWithMediabunny(source), await readWithMediabunny(plan.file)];
  const sourceBegin = plan.index.start;
  expect(tracks.map(({ kind }) => kind)).toEqual(sourceTracks.map(({ kind }) => kind));
  expect(plan.start).toBeLessThanOrEqual(start + tolerance);
  for (const [at, { kind, packets }] of tracks.entries()) {
    const sourcePackets = sourceTracks[at]?.packets ?? [];
    const first = sourcePackets.findIndex(
      ({ hash, timestamp }) =>
        hash === packets[0]?.hash && Math.abs(timestamp - (packets[0]?.timestamp ?? 0)) < tolerance,
    );
    const needed = sourcePackets.filter(({ timestamp }) => {
      return timestamp >= sourceBegin + start && timestamp < sourceBegin + end;
    });
    if (packets.length === 0) {
      expect(needed).toEqual([]);
      continue;
    }
    expect(first).toBeGreaterThanOrEqual(0);
    if (kind === 'video') {
      expect(packets[0]?.isKey).toBe(true);
      // A frame is displayed at the start of the clip, if the source has one.
      const firstTime = ({ packets: all }: { readonly packets: readonly { readonly timestamp: number }[] }) =>
        Math.min(...all.map(({ timestamp }) => timestamp));
      const begin = Math.max(sourceBegin + start, firstTime({ packets: sourcePackets }));
      expect(firstTime({ packets })).toBeLessThanOrEqual(begin + tolerance);
    }
    const expected = sourcePackets.slice(first, first + packets.length);
    expect(packets.map(({ hash }) => hash)).toEqual(expected.map(({ hash }) => hash));
    for (const [index, { timestamp }] of packets.entries()) {
      expect(Math.abs(timestamp - (expected[index]?.timestamp ?? 0))).toBeLessThan(tolerance);
    }
    const keptTimes = new Set(expected.map(({ timestamp }) => timestamp));
    expect(needed.filter(({ timestamp }) => !keptTimes.has(timestamp))).toEqual([]);
  }
}

describe('an excerpt', () => {
  test.each(files)('of %s contains the packets of the clip at their times', async (name) => {
    await compareWithSource(name, 2.2, 2.7);
  });

  test.each([
    [0, 0.5],
    [1, 2],
    [3.9, mediaSeconds + 100],
  ])('begins at a key frame from %d to %d', async (start, end) => {
    for (const name of ['gop.mp4', 'dash-v.mp4', 'av.webm']) await compareWithSource(name, start, end);
  });

  test.each([0.98, 1, 1.02, 1.04, 1.06, 1.08, 1.1])(
    'has a picture at %d s, near the beginning of a fragment',
    async (start) => {
      for (const name of ['reordered-fragments.mp4', 'negative-offsets.mp4', 'dash-v.mp4']) {
        await compareWithSource(name, start, start + 0.5);
      }
    },
  );

  test('is right for any clip', async () => {
    const seconds = fc.double({ min: 0, max: mediaSeconds - 0.1, noNaN: true });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...files), seconds, seconds, async (name, one, other) => {
        await compareWithSource(name, Math.min(one, other), Math.max(one, other) + 0.001);
      }),
      { seed: 23, numRuns: propertyRuns(60) },
    );
  });

  test('without an end lasts until the end of the file', async () => {
    const source = readFileSync(media.file('gop.mp4'));
    const { file } = planFromBytes(source, { start: 1.5 });
    const [sourceTracks, tracks] = [await readWithMediabunny(source), await readWithMediabunny(file)];
    for (const [at, { packets }] of tracks.entries()) {
      expect(packets.at(-1)?.hash).toBe(sourceTracks[at]?.packets.at(-1)?.hash);
    }
  });

  test('is smaller than its source', () => {
    const source = readFileSync(media.file('gop.mp4'));
    expect(planFromBytes(source, { start: 0.2, end: 0.4 }).file.length).toBeLessThan(source.length / 1.5);
  });
});
