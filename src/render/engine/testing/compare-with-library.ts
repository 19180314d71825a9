import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { readResult } from '../mp4/read-result.ts';
import type { ProcessReport } from '../tasks/report.ts';
import type { ProcessTask } from '../tasks/task.ts';
import { verifyResult } from '../verification/verify-result.ts';
import { readPackets } from './read-packets.ts';
import { callMediaLibrary, describeMedia } from './test-media.ts';

/** Describes a file as a player sees it, without the name of the program that wrote it. */
async function describe(path: string) {
  const { streams } = await describeMedia(path);
  return {
    streams: streams.map(({ kind, codec, flags, turn, first = 0, metadata: { language } }) => {
      return { kind, codec, flags, turn, language, first: first.toFixed(2) };
    }),
    ends: streams.map(({ end = 0 }) => end),
  };
}

/** Returns the decoder setups of a file. */
function setupsOf(path: string): string[] {
  const bytes = readFileSync(path);
  const [video, audio] = [bytes.indexOf('avcC'), bytes.indexOf(Buffer.from([0x40, 0x15]), bytes.indexOf('esds'))];
  const setups = video < 0 ? [] : [bytes.toString('hex', video, video - 4 + bytes.readUInt32BE(video - 4))];
  if (!bytes.includes('esds')) return setups;
  // A tag follows the bitrates, and then a length of up to four bytes.
  let at = audio + 13 + 1;
  while (bytes.readUInt8(at) >= 0x80) at += 1;
  return [...setups, bytes.toString('hex', at + 1, at + 3)];
}

/**
 * Compares the result of the fast path with that of the media library: packets, times, decoder setups and reports.
 *
 * @param task - the task that was carried out.
 * @param fast - the report about it.
 * @param lastFrame - tolerance for the duration of the last frame of a stream in seconds, because the file does not
 * declare it.
 */
export async function expectSameAsLibrary(task: ProcessTask, fast: ProcessReport, lastFrame = 0.001): Promise<void> {
  const path = task.output.path;
  const slowPath = `${path}.slow.${task.output.ext}`;
  const output = { ...task.output, path: slowPath };
  const slow: ProcessReport = await callMediaLibrary('processWithoutFastPath', { ...task, output });
  await expectProven(fast, path);
  const [ours, theirs] = [await readPackets(path), await readPackets(slowPath)];
  const content = (tracks: typeof ours) => tracks.map(({ packets }) => packets.map(({ key, hash }) => [key, hash]));
  expect(content(ours)).toEqual(content(theirs));
  const times = (tracks: typeof ours) => tracks.flatMap(({ packets }) => packets.map(({ time }) => time));
  const expectedTimes = times(theirs);
  // Tolerance for the rounding of two clocks: a tick of 90 kHz and a sample of audio.
  times(ours).forEach((time, at) => {
    expect(Math.abs(time - (expectedTimes[at] ?? 0))).toBeLessThan(0.0001);
  });
  const [fastMedia, slowMedia] = [await describe(path), await describe(slowPath)];
  expect(fastMedia.streams).toEqual(slowMedia.streams);
  fastMedia.ends.forEach((end, at) => {
    expect(Math.abs(end - (slowMedia.ends[at] ?? 0))).toBeLessThanOrEqual(lastFrame);
  });
  expect(setupsOf(path)).toEqual(setupsOf(slowPath));
  expect(fast.notes).toEqual(slow.notes);
  expect(fast.streams.map(({ kind, codec }) => [kind, codec])).toEqual(
    slow.streams.map(({ kind, codec }) => [kind, codec]),
  );
  expect(Math.abs(fast.duration - slow.duration)).toBeLessThanOrEqual(lastFrame);
  statsOf(fast).forEach((stats, at) => {
    const other = statsOf(slow)[at];
    expect(stats?.packets).toBe(other?.packets);
    expect((stats?.last ?? 0) - (stats?.first ?? 0)).toBeCloseTo((other?.last ?? 0) - (other?.first ?? 0), 4);
  });
}

const statsOf = ({ streams }: ProcessReport) => streams.map(({ origin }) => origin?.sources[0]?.stats);

async function expectProven(report: ProcessReport, path: string): Promise<void> {
  const fastMedia = await readResult(path);
  if (fastMedia === undefined) throw new Error('the result is not plain');
  verifyResult(report, fastMedia);
}
