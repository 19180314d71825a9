import { type Gap, type StreamFigures, sharedClock } from './figures.ts';

/** A video or audio stream of a result, with the figures to be compared. */
export interface ComparedStream {
  readonly kind: 'video' | 'audio';
  readonly origin: StreamOrigin;
  /** Figures of the packets that the muxer was given; absent without packets. */
  readonly written?: StreamFigures;
  /** Figures of the finished file; absent if its reader cannot determine them. */
  readonly found?: StreamFigures;
}

/** What a stream of a result was made from. */
export interface StreamOrigin {
  /** A mix plays all its sources from the beginning of the result; the others have one source. */
  readonly action: 'copy' | 'encode' | 'mix';
  readonly sources: readonly SourceFigures[];
}

/** A stream of an input, as its packets were read. */
export interface SourceFigures {
  /** Place of its file among the task's inputs, from 0. Streams of one file share a clock. */
  readonly file: number;
  /** The job's input, from 0, for messages. */
  readonly input: number;
  /** Packets that gave no frame to be encoded. */
  readonly undecoded: number;
  /** Absent without packets. */
  readonly figures?: StreamFigures;
}

/** Seconds by which a result may differ from its inputs. Each allows for something that valid results do. */
const tolerance = {
  /** Offset between the starts of two streams: containers round to their clocks, edit lists to milliseconds. */
  start: 0.1,
  /** Lengths, ends and gaps: rounding at each end, and invalid decoding times, which are corrected for muxers. */
  length: 0.5,
  /** All jumps of an input's clock together: no timestamp says how long they took, but each side estimates it alike. */
  jumps: 0.5,
  /** Resampling evens out timestamps only when they are off by more than this. */
  resampling: 0.1,
  /** Most that packet lengths may account for. */
  packets: 1,
} as const;

/**
 * Packets by which an audio stream may begin or end differently on each side: not every container can store the encoder
 * delay, and encoders pad the last packet. Video encoders may reorder by as much if the source has decoding times only.
 */
const paddingPackets = 2;

/**
 * Compares a result with its inputs as placed on its clock: duration, the longest gap of each stream, and the offsets
 * between the streams at start and end. Figures of the finished file take precedence over the muxer's account, which is
 * used where only the beginning and the end of the file were read.
 *
 * @returns The first difference, as a clause; undefined if there is none.
 */
export function differenceFrom(streams: readonly ComparedStream[]): string | undefined {
  const played = streams.filter(({ origin }) => origin.sources.some(({ figures }) => figures !== undefined));
  const empty = played.find(({ found, written }) => (found ?? written) === undefined);
  if (empty !== undefined) return `its ${empty.kind} has no packets`;
  if (played.length === 0) return undefined;
  const differences = placements(played).map((starts) => compare(pairs(played, starts)));
  return differences.includes(undefined) ? undefined : differences[0];
}

/** A stream as it should be and as it is. */
interface Pair {
  readonly name: string;
  readonly input: number;
  readonly expected: Figures;
  readonly actual: Figures;
  /** Seconds by which its start, and its length, may differ beyond {@link tolerance}. */
  readonly startSlack: number;
  readonly lengthSlack: number;
}

/** Figures whose every packet was seen, by the reader of the file or by the writer. */
interface Figures extends StreamFigures {
  readonly packets: number;
  readonly gap: Gap;
}

/**
 * When each file begins on the result's clock: at zero, or, where files begin so close together that they may share a
 * clock, all at the earliest.
 */
function placements(streams: readonly ComparedStream[]): Map<number, number>[] {
  const starts = new Map<number, number>();
  for (const { file, figures } of streams.flatMap(({ origin }) => origin.sources)) {
    if (figures !== undefined) starts.set(file, Math.min(figures.first, starts.get(file) ?? figures.first));
  }
  const earliest = Math.min(...starts.values());
  const apart = Math.max(...starts.values()) - earliest;
  const shared = new Map([...starts.keys()].map((file) => [file, earliest]));
  return apart > 0 && apart < sharedClock ? [shared, starts] : [starts];
}

function pairs(streams: readonly ComparedStream[], starts: ReadonlyMap<number, number>): Pair[] {
  // Reader and writer may count from different times, so their figures are not mixed.
  const fromFile = streams.every(({ found }) => found !== undefined);
  return streams.flatMap((stream) => {
    const { kind, origin, written, found } = stream;
    const known = complete((fromFile ? found : written) ?? found, written ?? found);
    const sources = origin.sources.flatMap(({ file, figures }) => {
      const source = complete(figures, undefined);
      return source === undefined ? [] : [moved(source, -(starts.get(file) ?? 0))];
    });
    const [first] = sources;
    if (known === undefined || first === undefined) return [];
    const expected = origin.action === 'mix' ? mixed(sources) : first;
    const alike = streams.filter((other) => other.kind === kind);
    const name = alike.length === 1 ? kind : `${kind} stream ${alike.indexOf(stream) + 1}`;
    const startSlack = slackOf(stream, sources, known);
    const lengthSlack = startSlack + (expected.jumps > 0 ? tolerance.jumps : 0);
    return [{ name, input: origin.sources[0]?.input ?? 0, expected, actual: known, startSlack, lengthSlack }];
  });
}

/** Seconds by which the packets of a valid stream may lie elsewhere than those of its sources. */
function slackOf({ kind, origin }: ComparedStream, sources: readonly Figures[], actual: Figures): number {
  const copied = origin.action === 'copy';
  const packet = Math.max(...sources.map(packetSeconds));
  const lost = packet * Math.max(...origin.sources.map(({ undecoded }) => undecoded));
  // Frames that shown frames need are copied too, and containers without edit lists show them.
  const cutOff = Math.max(...sources.map((source) => source.cutOff ?? 0));
  if (copied && kind === 'video') return cutOff;
  const padding = Math.min(tolerance.packets, paddingPackets * (packet + packetSeconds(actual)));
  return cutOff + padding + lost + (copied || kind === 'video' ? 0 : tolerance.resampling);
}

function packetSeconds({ first, last, packets }: Figures): number {
  return packets > 1 ? (last - first) / (packets - 1) : 0;
}

function compare(streams: readonly Pair[]): string | undefined {
  return (
    compareWhole(streams) ??
    firstOf(streams, compareLength) ??
    firstOf(streams, compareGap) ??
    firstOf(streams.slice(1), (stream) => compareOffsets(stream, streams[0]))
  );
}

function compareWhole(streams: readonly Pair[]): string | undefined {
  const should = secondsOf(streams.map(({ expected }) => expected));
  const is = secondsOf(streams.map(({ actual }) => actual));
  // The duration of the last packet is a guess, but hardly longer than that of any packet before it.
  const guess = Math.max(
    ...streams.map(({ expected }) => Math.max(expected.end - expected.last, expected.gap.seconds)),
  );
  const allowed = tolerance.length + guess + Math.max(...streams.map(({ lengthSlack }) => lengthSlack));
  return Math.abs(is - should) <= allowed ? undefined : `it plays ${is.toFixed(1)} s instead of ${should.toFixed(1)} s`;
}

function compareLength({ name, expected, actual, lengthSlack }: Pair): string | undefined {
  const [should, is] = [expected, actual].map(({ first, last }) => last - first) as [number, number];
  if (Math.abs(is - should) <= tolerance.length + lengthSlack) return undefined;
  return `its ${name} plays ${is.toFixed(1)} s instead of ${should.toFixed(1)} s`;
}

function compareGap({ name, input, expected, actual, lengthSlack }: Pair): string | undefined {
  const { seconds, at } = actual.gap;
  const longest = expected.gap.seconds;
  if (seconds <= longest + tolerance.length + lengthSlack) return undefined;
  const gap = `its ${name} has a gap of ${seconds.toFixed(1)} s at ${(at - actual.first).toFixed(1)} s`;
  const none = longest < tolerance.length;
  return `${gap} where input ${input + 1} has ${none ? 'none' : `${longest.toFixed(1)} s at most`}`;
}

function compareOffsets(stream: Pair, reference: Pair | undefined): string | undefined {
  if (reference === undefined) return undefined;
  const at = (moment: 'first' | 'last', which: 'expected' | 'actual') => {
    return stream[which][moment] - reference[which][moment];
  };
  const [begins, begin] = [at('first', 'actual'), at('first', 'expected')];
  if (Math.abs(begins - begin) > tolerance.start + stream.startSlack + reference.startSlack) {
    return `its ${stream.name} begins ${offset(begins, reference.name)} instead of ${offset(begin)}`;
  }
  const [ends, end] = [at('last', 'actual'), at('last', 'expected')];
  if (Math.abs(ends - end) <= tolerance.length + stream.lengthSlack + reference.lengthSlack) return undefined;
  return `its ${stream.name} ends ${offset(ends, reference.name)} instead of ${offset(end)}`;
}

/** Where a stream begins or ends relative to another one, in words. */
function offset(seconds: number, other?: string): string {
  const amount = Math.abs(seconds).toFixed(1);
  const name = other === undefined ? 'it' : `its ${other}`;
  if (amount === '0.0') return `together with ${name}`;
  return `${amount} s ${seconds < 0 ? 'before' : 'after'} ${name}`;
}

/** Seconds from the first packet of any stream to the end of the last. */
function secondsOf(streams: readonly StreamFigures[]): number {
  return Math.max(...streams.map(({ end }) => end)) - Math.min(...streams.map(({ first }) => first));
}

/** Completes figures from other figures of the same stream. */
function complete(figures: StreamFigures | undefined, other: StreamFigures | undefined): Figures | undefined {
  if (figures === undefined) return undefined;
  const { packets = other?.packets ?? 1, gap = other?.gap ?? { seconds: 0, at: figures.first } } = figures;
  return { ...figures, packets, gap };
}

function moved(figures: Figures, by: number): Figures {
  const { first, last, end, gap } = figures;
  return { ...figures, first: first + by, last: last + by, end: end + by, gap: { ...gap, at: gap.at + by } };
}

/** All sources play from the beginning of the result, with silence where they have no audio. */
function mixed(sources: readonly Figures[]): Figures {
  const most = (value: (source: Figures) => number) => Math.max(...sources.map(value));
  return {
    first: 0,
    last: most(({ last }) => last),
    end: most(({ end }) => end),
    packets: most(({ packets }) => packets),
    gap: { seconds: 0, at: 0 },
    jumps: most(({ jumps }) => jumps),
  };
}

function firstOf<Item>(items: readonly Item[], find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
