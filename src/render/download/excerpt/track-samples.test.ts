import { expect, test } from 'vitest';
import { runSteps } from '../../../waiting/steps.ts';
import { testSamples } from '../../engine/testing/mp4-tracks.ts';
import { selectSamples, type TimedTrack } from './track-samples.ts';

/** Returns the indexes of the samples that play between two times, of a track with 25 frames per second. */
function selected(
  samples: readonly { readonly duration: number; readonly composition?: number; readonly sync?: boolean }[],
  begin: number,
  end: number,
  kind: 'video' | 'audio' = 'video',
) {
  const list = testSamples(samples.map((sample) => ({ size: 1, ...sample })));
  const track = { id: 1, kind, timescale: 25, table: [], boxes: [] };
  const timed: TimedTrack = { track, count: list.count, start: 0, end: 100, zero: 0 };
  const slice = runSteps(selectSamples(timed, list, begin, end));
  return [slice.first, slice.end];
}

const frame = { duration: 1, sync: false };

test('the samples that begin between two times are kept, from a key frame on', () => {
  const frames = Array.from({ length: 100 }, (_, at) => ({ duration: 1, sync: at % 25 === 0 }));
  expect(selected(frames, 1.5, 2)).toEqual([25, 50]);
});

// Frames at 0, 0.04 and, after a pause, 10.04, 10 and 10.08 s: the second and third of them are decoded early.
const pausing = [
  { duration: 1, sync: true, composition: 2 },
  { ...frame, composition: 2 },
  { ...frame, composition: 251 },
  { ...frame, duration: 249, composition: 249 },
  { ...frame, composition: 2 },
  frame,
];

test('the frame after a pause of the video is kept', () => {
  expect(selected(pausing, 0, 5)).toEqual([0, 5]);
  expect(selected(pausing.slice(0, 2), 0, 5)).toEqual([0, 2]);
});

test('nothing follows audio that pauses', () => {
  expect(selected(pausing, 0, 5, 'audio')).toEqual([0, 2]);
});
