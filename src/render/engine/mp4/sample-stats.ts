import { CueCounter, type CueStats } from '../timing/cue-stats.ts';
import { LongestGaps } from '../timing/longest-gaps.ts';
import type { StreamStats } from '../timing/stream-stats.ts';
import type { SampleList } from './sample-list.ts';
import type { Track } from './track-reader.ts';

/**
 * Returns the statistics of a track, from its sample table and its edit list. They equal the statistics of a demuxer's
 * timestamps: samples that an edit removes at the beginning are counted, at times before the beginning. The table is
 * complete and its clock cannot jump, so this takes a tenth of the time of `FileStats`.
 */
export function sampleStats(
  { start, count, durations, compositions }: SampleList,
  { timescale, edit }: Pick<Track, 'timescale' | 'edit'>,
): StreamStats | undefined {
  if (count === 0) return undefined;
  const times = new Float64Array(count);
  let [time, end, isSorted] = [start, Number.NEGATIVE_INFINITY, true];
  for (let at = 0; at < count; at += 1) {
    const presentationTime = time + (compositions[at] ?? 0);
    const duration = durations[at] ?? 0;
    if (at > 0 && presentationTime < (times[at - 1] ?? 0)) isSorted = false;
    if (presentationTime + duration > end) end = presentationTime + duration;
    times[at] = presentationTime;
    time += duration;
  }
  if (!isSorted) times.sort();
  const gaps = new LongestGaps();
  for (let at = 1; at < count; at += 1) {
    const before = times[at - 1] ?? 0;
    gaps.add((times[at] ?? 0) - before, before);
  }
  const seconds = presentation({ timescale, ...(edit && { edit }) });
  return {
    first: seconds(times[0] ?? 0),
    last: seconds(times[count - 1] ?? 0),
    end: seconds(end),
    packets: count,
    listed: true,
    gaps: gaps.list().map((gap) => ({ seconds: gap.seconds / timescale, at: seconds(gap.at) })),
    jumps: 0,
    ...(edit?.length === undefined ? {} : { plays: { first: edit.delay, end: edit.delay + edit.length } }),
  };
}

/** Returns the start times of the timed text samples that display something. A sample of two bytes is a pause. */
export function sampleCues(
  { start, count, durations, sizes }: SampleList,
  timing: Pick<Track, 'timescale' | 'edit'>,
): CueStats | undefined {
  const seconds = presentation(timing);
  const cues = new CueCounter();
  let time = start;
  for (let at = 0; at < count; at += 1) {
    if ((sizes[at] ?? 0) > 2) cues.add(seconds(time));
    time += durations[at] ?? 0;
  }
  return cues.stats();
}

/** Returns a function that converts the ticks of a track to seconds of its presentation. */
function presentation({ timescale, edit }: Pick<Track, 'timescale' | 'edit'>): (ticks: number) => number {
  const shift = edit === undefined ? 0 : edit.delay - edit.mediaTime / timescale;
  return (ticks) => ticks / timescale + shift;
}
