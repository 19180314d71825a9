/** @module-tag long */

import { expect, inject, test } from 'vitest';
import { describeJob, render } from '../support/http-client.ts';
import { fetchThroughLab, labFile } from '../support/lab-client.ts';
import { type TimedTrack, timesOf } from '../support/packets.ts';

const service = inject('serviceUrl');
const lab = inject('labUrl');

/** Seconds by which the clocks of two containers may differ: Matroska counts milliseconds. */
const precision = 0.0021;
/** Seconds of audio that encoders put before the first sample, which not every container counts as time. */
const padding = 0.05;

/** Files that several programs wrote in several containers, and the containers that each is copied into. */
const copies: readonly [path: string, into: readonly string[]][] = [
  ['/media/amber-2/movie-180.mkv', ['mp4', 'mkv', 'mov', 'ts']],
  ['/media/amber-2/movie-180.mov', ['mp4', 'mkv', 'mov', 'ts']],
  ['/media/amber-2/movie-180.ts', ['mp4', 'mkv', 'mov', 'ts']],
  ['/media/amber-2/movie-180.webm', ['mp4', 'mkv', 'webm']],
  ['/found/nosleep.mp4', ['mp4', 'mkv', 'mov', 'ts']],
  ['/found/nosleep.webm', ['mkv', 'webm']],
];

test.each(copies.flatMap(([path, into]) => into.map((ext) => ({ path, ext }))))(
  '$path copied into $ext keeps every packet at its time',
  async ({ path, ext }) => {
    const { url } = labFile(path);
    const [outside, { file }] = await Promise.all([
      fetchThroughLab(lab, url),
      render(service, describeJob('convert_format', [{ url, ext: path.split('.').at(-1) ?? '' }], ext)),
    ]);
    const [source, copy] = [await timesOf(outside.body), await timesOf(file)];
    expect(copy.map(withoutTimes)).toEqual(source.map(withoutTimes));
    const shifts = source.map(({ times }, at) => shiftOf(times, copy[at]?.times ?? []));
    for (const { least, most } of shifts) expect(most - least).toBeLessThanOrEqual(precision);
    const [first] = shifts;
    for (const { least } of shifts) expect(Math.abs(least - (first?.least ?? 0))).toBeLessThanOrEqual(padding);
  },
);

function withoutTimes({ kind, codec, times, keys }: TimedTrack) {
  return { kind, codec, packets: times.length, keys };
}

/** Returns the smallest and the largest delay in seconds between the presentation times of a copy and of its source. */
function shiftOf(from: readonly number[], to: readonly number[]) {
  const late = from.map((seconds, at) => (to[at] ?? Number.NaN) - seconds);
  return { least: Math.min(...late), most: Math.max(...late) };
}
