import type { Gap } from '../timing/longest-gaps.ts';
import type { StreamStats } from '../timing/stream-stats.ts';
import { findNewGap } from './compare-gaps.ts';
import { comparePacketCounts } from './compare-packet-counts.ts';
import type { ComparedStream, PlacedSource } from './compared-stream.ts';
import { sharedStartsOfFiles, startsOfFiles } from './starts-of-files.ts';

/** Maximum differences between a result and its inputs, in seconds. Each covers a deviation of valid results. */
const tolerance = {
  /** Offset between the starts of two streams: containers round to their clocks, edit lists to milliseconds. */
  start: 0.1,
  /** Lengths, ends and gaps: rounding at each end, and invalid decoding times, which are corrected for muxers. */
  length: 0.5,
  /**
   * All jumps of an input's clock together: no timestamp records their duration, but the engine and its verification
   * estimate it in the same way.
   */
  jumps: 0.5,
  /** Resampling only corrects timestamps that are off by more than this. */
  resampling: 0.1,
  /** Maximum tolerance for packet lengths. */
  packets: 1,
} as const;

/**
 * Number of packets by which the start or end of an audio stream may differ between a result and its input. Not every
 * container can store the encoder delay, and encoders pad the last packet. Video encoders may reorder by as much if the
 * source has decoding times only.
 */
const paddingPackets = 2;

/**
 * Compares a result with its inputs as placed on the result's clock. It compares the packets of copied streams, the
 * duration, the longest gaps of each stream and their positions, the offsets between streams at start and end, and the
 * times of each source of a mix. Statistics of the finished file take precedence over the muxer's report, which is used
 * if only the beginning and the end of the file were read.
 *
 * @param clipStart - where a clip begins, in seconds from the start of the media, from which its sources count.
 * @param silenceEnd - where the silence that fills encoded audio ends, in the same seconds; absent without any.
 * @returns The first difference, as a clause; undefined if they agree.
 */
export function compareStreams(
  streams: readonly ComparedStream[],
  clipStart?: number,
  silenceEnd?: number,
): string | undefined {
  const playedStreams = streams.filter(({ origin }) => origin.sources.some(({ stats }) => stats !== undefined));
  const empty = playedStreams.find(({ fileStats, muxerStats }) => (fileStats ?? muxerStats) === undefined);
  if (empty !== undefined) return `its ${empty.kind} has no packets`;
  if (playedStreams.length === 0) return undefined;
  const filledSeconds = silenceEnd === undefined ? undefined : silenceEnd - (clipStart ?? 0);
  const differences = startsByPlacement(playedStreams, clipStart).map((starts) =>
    compare(pairStreams(playedStreams, starts, filledSeconds)),
  );
  if (!differences.includes(undefined)) return differences[0];
  return firstDifference(nameStreams(playedStreams), ([name, stream]) => comparePacketCounts(name, stream));
}

/** A stream: its expected and its actual statistics. */
interface StreamPair {
  readonly name: string;
  /** Sources of a mix, on the result's clock; empty for other streams. */
  readonly sources: readonly PlacedSource[];
  readonly input: number;
  readonly expected: CompleteStats;
  readonly actual: CompleteStats;
  /** Additional tolerance for its start, and for its length, beyond {@link tolerance}, in seconds. */
  readonly startSlack: number;
  readonly lengthSlack: number;
}

/** Statistics that cover every packet, from the reader of the file or from the muxer. */
interface CompleteStats extends StreamStats {
  readonly packets: number;
  readonly gaps: readonly Gap[];
}

/**
 * Returns the start of each file on the result's clock: zero, or the common earliest start of inputs that may share a
 * clock. The statistics of the files of one input have one clock.
 */
function startsByPlacement(streams: readonly ComparedStream[], clipStart?: number): Map<number, number>[] {
  const sources = streams.flatMap(({ origin }) => origin.sources);
  const starts = startsOfFiles(sources);
  if (clipStart !== undefined) return [new Map([...starts.keys()].map((file) => [file, clipStart]))];
  const sharedStarts = sharedStartsOfFiles(sources);
  return sharedStarts === undefined ? [starts] : [sharedStarts, starts];
}

/**
 * Pairs the streams with what they should be.
 *
 * @param filledSeconds - how long encoded audio lasts at least, because silence fills it.
 */
function pairStreams(
  streams: readonly ComparedStream[],
  starts: ReadonlyMap<number, number>,
  filledSeconds: number | undefined,
): StreamPair[] {
  // Reader and muxer may count from different times, so their statistics are not mixed.
  const fromFile = streams.every(({ fileStats }) => fileStats !== undefined);
  return nameStreams(streams).flatMap(([name, stream]) => {
    const { origin, muxerStats, fileStats } = stream;
    const actual = complete((fromFile ? fileStats : muxerStats) ?? fileStats, muxerStats ?? fileStats);
    const sources = origin.sources.flatMap((source) => {
      const stats = complete(source.stats, undefined);
      return stats === undefined ? [] : [{ source, stats: shiftStats(stats, -(starts.get(source.file) ?? 0)) }];
    });
    const [first] = sources;
    if (actual === undefined || first === undefined) return [];
    const isMix = origin.action === 'mix';
    const all = sources.map(({ stats }) => stats);
    const unfilled = isMix ? mixStats(all) : first.stats;
    const isFilled = stream.kind === 'audio' && origin.action !== 'copy' && filledSeconds !== undefined;
    const expected = isFilled ? lastingUntil(filledSeconds, unfilled) : unfilled;
    const slack = slackOf(stream, all, actual);
    const startSlack = stream.beginsWhole === true ? slack - undecodedSeconds(stream, all) : slack;
    const lengthSlack = slack + jumpSlack(expected);
    const placedSources = sources.map(({ source, stats }): PlacedSource => {
      const sourceSlack = slackOf({ ...stream, origin: { ...origin, sources: [source] } }, [stats], actual);
      const endSlack = sourceSlack + tolerance.length + jumpSlack(stats);
      return { ...source, expected: stats, startSlack: sourceSlack + tolerance.start, endSlack };
    });
    const input = first.source.input;
    return [{ name, input, sources: isMix ? placedSources : [], expected, actual, startSlack, lengthSlack }];
  });
}

/** Pairs the streams with their names in messages. */
function nameStreams(streams: readonly ComparedStream[]): (readonly [name: string, stream: ComparedStream])[] {
  return streams.map((stream) => {
    const { kind } = stream;
    const alike = streams.filter((other) => other.kind === kind);
    return [alike.length === 1 ? kind : `${kind} stream ${alike.indexOf(stream) + 1}`, stream];
  });
}

function jumpSlack({ jumps }: StreamStats): number {
  return jumps > 0 ? tolerance.jumps : 0;
}

/** Returns the seconds by which the packets of a valid stream may differ in time from those of its sources. */
function slackOf(stream: ComparedStream, sources: readonly CompleteStats[], actual: CompleteStats): number {
  const { kind, origin } = stream;
  const isCopy = origin.action === 'copy';
  const packet = Math.max(...sources.map(packetSeconds));
  // Frames that presented frames need are copied too, and containers without edit lists present them.
  const cutOff = Math.max(...sources.map((source) => source.cutOff ?? 0));
  if (isCopy && kind === 'video') return cutOff;
  const padding = Math.min(tolerance.packets, paddingPackets * (packet + packetSeconds(actual)));
  return cutOff + padding + undecodedSeconds(stream, sources) + (isCopy || kind === 'video' ? 0 : tolerance.resampling);
}

/** Returns how long the packets play that yielded no frame. */
function undecodedSeconds({ origin }: ComparedStream, sources: readonly CompleteStats[]): number {
  return Math.max(...sources.map(packetSeconds)) * Math.max(...origin.sources.map(({ undecoded }) => undecoded));
}

function packetSeconds({ first, last, packets }: CompleteStats): number {
  return packets > 1 ? (last - first) / (packets - 1) : 0;
}

function compare(streams: readonly StreamPair[]): string | undefined {
  return (
    compareDuration(streams) ??
    firstDifference(streams, compareLength) ??
    firstDifference(streams, compareGaps) ??
    firstDifference(streams.slice(1), (stream) => compareOffsets(stream, streams[0])) ??
    firstDifference(streams, ({ name, sources }) => firstDifference(sources, (source) => compareMix(name, source)))
  );
}

function compareDuration(streams: readonly StreamPair[]): string | undefined {
  const expectedSeconds = totalSeconds(streams.map(({ expected }) => expected));
  // The duration of the last packet is a guess, but it is unlikely to exceed the longest gap between the packets before
  // it.
  const guesses = streams.map(({ expected }) => Math.max(expected.end - expected.last, longestGap(expected)));
  const actualSeconds = totalSeconds(
    streams.map(({ actual }, at) => {
      const longest = Math.max(guesses[at] ?? 0, longestGap(actual));
      return actual.listed === true ? actual : { ...actual, end: Math.min(actual.end, actual.last + longest) };
    }),
  );
  const maxDifference =
    tolerance.length + Math.max(...guesses) + Math.max(...streams.map(({ lengthSlack }) => lengthSlack));
  return Math.abs(actualSeconds - expectedSeconds) <= maxDifference
    ? undefined
    : `it plays ${actualSeconds.toFixed(1)} s instead of ${expectedSeconds.toFixed(1)} s`;
}

function longestGap({ gaps }: CompleteStats): number {
  return gaps[0]?.seconds ?? 0;
}

function compareLength({ name, expected, actual, lengthSlack }: StreamPair): string | undefined {
  const [expectedSeconds, actualSeconds] = [expected, actual].map(({ first, last }) => last - first) as [
    number,
    number,
  ];
  if (Math.abs(actualSeconds - expectedSeconds) <= tolerance.length + lengthSlack) return undefined;
  return `its ${name} plays ${actualSeconds.toFixed(1)} s instead of ${expectedSeconds.toFixed(1)} s`;
}

function compareGaps({ name, input, expected, actual, lengthSlack }: StreamPair): string | undefined {
  const gap = findNewGap(expected, actual, tolerance.length + lengthSlack);
  if (gap === undefined) return undefined;
  const there = gap.sourceSeconds < tolerance.length ? 'none' : `${gap.sourceSeconds.toFixed(1)} s at most`;
  return `its ${name} has a gap of ${gap.seconds.toFixed(1)} s at ${gap.at.toFixed(1)} s where input ${input + 1} has ${there}`;
}

function compareOffsets(stream: StreamPair, reference: StreamPair | undefined): string | undefined {
  if (reference === undefined) return undefined;
  const at = (moment: 'first' | 'last', which: 'expected' | 'actual') => {
    return stream[which][moment] - reference[which][moment];
  };
  const [begins, begin] = [at('first', 'actual'), at('first', 'expected')];
  if (Math.abs(begins - begin) > tolerance.start + stream.startSlack + reference.startSlack) {
    return `its ${stream.name} begins ${describeOffset(begins, reference.name)} instead of ${describeOffset(begin)}`;
  }
  const [ends, end] = [at('last', 'actual'), at('last', 'expected')];
  if (Math.abs(ends - end) <= tolerance.length + stream.lengthSlack + reference.lengthSlack) return undefined;
  return `its ${stream.name} ends ${describeOffset(ends, reference.name)} instead of ${describeOffset(end)}`;
}

/** Describes where a stream begins or ends relative to another one. */
function describeOffset(seconds: number, other?: string): string {
  const amount = Math.abs(seconds).toFixed(1);
  const name = other === undefined ? 'it' : `its ${other}`;
  if (amount === '0.0') return `together with ${name}`;
  return `${amount} s ${seconds < 0 ? 'before' : 'after'} ${name}`;
}

/** Returns the seconds from the first packet of any stream to the end of the last. */
function totalSeconds(streams: readonly StreamStats[]): number {
  return Math.max(...streams.map(({ end }) => end)) - Math.min(...streams.map(({ first }) => first));
}

/** Completes statistics from other statistics of the same stream. */
function complete(stats: StreamStats | undefined, other: StreamStats | undefined): CompleteStats | undefined {
  if (stats === undefined) return undefined;
  const { packets = other?.packets ?? 1, gaps = shiftGaps(other, stats.first - (other?.first ?? 0)) } = stats;
  return { ...stats, packets, gaps };
}

/** Lets a stream last until a time at least. */
function lastingUntil(end: number, stats: CompleteStats): CompleteStats {
  return { ...stats, last: Math.max(stats.last, end), end: Math.max(stats.end, end) };
}

function shiftStats(stats: CompleteStats, by: number): CompleteStats {
  const { first, last, end } = stats;
  return { ...stats, first: first + by, last: last + by, end: end + by, gaps: shiftGaps(stats, by) };
}

function shiftGaps(stats: StreamStats | undefined, by: number): readonly Gap[] {
  return stats?.gaps?.map(({ seconds, at }) => ({ seconds, at: at + by })) ?? [];
}

/**
 * Combines the sources of a mix. All of them play from the beginning of the result, with silence if they have no audio.
 */
function mixStats(sources: readonly CompleteStats[]): CompleteStats {
  const most = (value: (source: CompleteStats) => number) => Math.max(...sources.map(value));
  return {
    first: 0,
    last: most(({ last }) => last),
    end: most(({ end }) => end),
    packets: most(({ packets }) => packets),
    gaps: [],
    jumps: most(({ jumps }) => jumps),
  };
}

function firstDifference<Item>(items: readonly Item[], find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const difference = find(item);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/** Returns a clause if a source plays at another time in a mix than it should. The mix itself does not reveal this. */
function compareMix(name: string, source: PlacedSource): string | undefined {
  const { input, mixed, expected, startSlack, endSlack } = source;
  if (mixed === undefined) return `no report contains when its ${name} plays input ${input + 1}`;
  const begins = Math.abs(mixed.first - expected.first) <= startSlack;
  // The duration of the last packet is a guess.
  const ends = mixed.end >= expected.last - endSlack && mixed.end <= expected.end + endSlack;
  if (begins && ends) return undefined;
  const range = (first: number, end: number) => `from ${first.toFixed(1)} s to ${end.toFixed(1)} s`;
  const should = range(expected.first, expected.end);
  return `its ${name} plays input ${input + 1} ${range(mixed.first, mixed.end)} instead of ${should}`;
}
