import { isTextSubtitle } from '../subtitles/subtitle-text.ts';
import type { CueOrigin, StreamSummary, WrittenStream } from '../tasks/report.ts';
import type { CueStats } from '../timing/cue-stats.ts';
import { sharedStartsOfFiles, startsOfFiles } from './starts-of-files.ts';

/**
 * Maximum difference between start times of cues, in seconds: containers round, and shift all streams by the encoder
 * delay of audio.
 */
const tolerance = 0.3;

/**
 * Compares the cues of a result with those of its inputs: their number and their start times.
 *
 * @param clipStart - where a clip begins, in seconds from the start of the media, from which its sources count.
 * @returns The first difference, as a clause; undefined if they agree.
 */
export function compareCues(
  writtenStreams: readonly WrittenStream[],
  probedStreams: readonly StreamSummary[],
  clipStart?: number,
): string | undefined {
  const shift = startOf(probedStreams) - startOf(writtenStreams);
  const placements = clipStart === undefined ? placementsOf(writtenStreams) : [() => clipStart];
  for (const [at, stream] of writtenStreams.entries()) {
    if (stream.kind !== 'subtitle') continue;
    const probedCues = isTextSubtitle(stream.codec) ? probedStreams[at]?.cues : undefined;
    const difference =
      (stream.cueOrigin && describeLoss(stream.cueOrigin, placements)) ??
      (probedCues && describeDifference(probedCues, shiftCues(stream.cues, shift)));
    if (difference !== undefined) return `its ${stream.codec} subtitles have ${difference}`;
  }
  return undefined;
}

/** Describes how the cues of the result differ from those of its input, as the end of a clause. */
function describeLoss(
  { file, read, writtenCues, missing, moved: cut }: CueOrigin,
  placements: readonly ((file: number) => number)[],
): string | undefined {
  const [expected, actual] = [(read?.count ?? 0) - missing, writtenCues?.count ?? 0];
  if (actual !== expected) return `${actual} cues instead of ${expected}`;
  if (read === undefined || writtenCues === undefined || missing > 0 || cut) return undefined;
  const differences = placements.map((startOfFile) =>
    describeDifference(writtenCues, shiftCues(read, -startOfFile(file))),
  );
  return differences.includes(undefined) ? undefined : differences[0];
}

function describeDifference(actual: CueStats, expected: CueStats | undefined): string | undefined {
  if (expected === undefined || actual.count !== expected.count)
    return `${actual.count} cues instead of ${expected?.count ?? 0}`;
  const statistic = (['first', 'last', 'mean'] as const).find(
    (name) => Math.abs(actual[name] - expected[name]) > tolerance,
  );
  if (statistic === undefined) return undefined;
  const name = statistic === 'mean' ? 'cues that begin on average' : `a ${statistic} cue that begins`;
  return `${name} at ${actual[statistic].toFixed(1)} s instead of ${expected[statistic].toFixed(1)} s`;
}

/**
 * Returns functions for the start of each file on the result's clock: at its first packet, or at the earliest one for
 * files that share a clock.
 */
function placementsOf(streams: readonly WrittenStream[]): ((file: number) => number)[] {
  const sources = streams.flatMap(({ origin }) => origin?.sources ?? []);
  return [startsOfFiles(sources), sharedStartsOfFiles(sources)].flatMap((starts) => {
    return starts === undefined ? [] : [(file: number) => starts.get(file) ?? 0];
  });
}

/** Returns when video and audio begin, in seconds; 0 if unknown. */
function startOf(streams: readonly StreamSummary[]): number {
  const first = Math.min(...streams.map(({ stats }) => stats?.first ?? Number.POSITIVE_INFINITY));
  return Number.isFinite(first) ? first : 0;
}

function shiftCues(stats: CueStats | undefined, by: number): CueStats | undefined {
  if (stats === undefined) return undefined;
  const { count, first, last, mean } = stats;
  return { count, first: first + by, last: last + by, mean: mean + by };
}
