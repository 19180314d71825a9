import type { SourceClock } from '../timing/clock-turns.ts';
import { mergeLongestGaps } from '../timing/longest-gaps.ts';
import { type StreamStats, sharedClockSeconds } from '../timing/stream-stats.ts';

/** The statistics of a file's streams; absent for streams without packets. */
export type FileStreams = readonly (StreamStats | undefined)[];

/** One of several files of an input that play one after the other. */
export interface PartStats {
  readonly streams: FileStreams;
  /** Whether each stream is video. */
  readonly video: readonly boolean[];
  /** By stream of the first part: the index of the stream that continues it. */
  readonly pairs: readonly (number | undefined)[];
  /**
   * Start of each stream according to its header, in seconds. It may be later than the first packet, because encoder
   * priming is not played.
   */
  readonly starts: readonly (number | undefined)[];
  /** What its timestamps count from. */
  readonly clock: SourceClock;
  /** Increases where the source signals a discontinuity. */
  readonly section: number;
  /** Duration that the playlist declares, in seconds. */
  readonly declaredDuration?: number;
}

/** Seconds by which a part may overlap the previous ones, or pause after them, and still continue their clock. */
const overlap = 0.1;
const pause = 10;
/** Seconds of audio that encoders add around a seam. They may overlap if there is video on both sides. */
const encoderPadding = 0.2;

/**
 * Returns the statistics of files whose parts play one after the other. In files that play simultaneously, such as
 * separate video and audio, all parts of a section begin together, when all parts of the previous section have ended.
 * Other parts follow the previous ones in their own file. Streams that a part lacks are silent there.
 *
 * This shares no code with `timing/part-starts.ts` and `media/reading/part-sequence.ts`, which place the parts.
 *
 * @param files - the parts of each file.
 * @returns The statistics of each file, on a clock that all share.
 */
export function concatenateStats(files: readonly (readonly PartStats[])[]): FileStreams[] {
  const placedFiles: PlacedPart[][] = files.map(() => []);
  let before: readonly PlacedPart[] = [];
  for (const group of sectionsOf(files)) {
    const { begin, shifts } = placeFirst(
      group.map(([first]) => first),
      before,
    );
    const placedGroup = group.map((parts, file) =>
      placeAll(parts, shifts[file] ?? 0, files.length > 1 ? begin : undefined),
    );
    placedGroup.forEach((line, file) => {
      placedFiles[file]?.push(...line);
    });
    before = placedGroup.flat();
  }
  return placedFiles.map(joinStreams);
}

/** A part, and the seconds that are added to its clock. */
interface PlacedPart {
  readonly part: PartStats;
  readonly shift: number;
}

/** Groups the parts of each file by section. All are in one section if the files do not end in the same section. */
function sectionsOf(files: readonly (readonly PartStats[])[]): (readonly (readonly PartStats[])[])[] {
  if (new Set(files.map((parts) => parts.at(-1)?.section)).size > 1) return [files];
  const numbers = new Set(files.flat().map(({ section }) => section));
  return [...numbers]
    .toSorted((a, b) => a - b)
    .map((number) => files.map((parts) => parts.filter(({ section }) => section === number)));
}

/** Places the first parts of a section, and determines when they begin. */
function placeFirst(
  heads: readonly (PartStats | undefined)[],
  before: readonly PlacedPart[],
): { readonly begin: number; readonly shifts: readonly number[] } {
  const ownFirsts = heads.map((head) => (head === undefined ? Number.POSITIVE_INFINITY : firstOf(head)));
  const reference = ownFirsts.find(Number.isFinite) ?? 0;
  // Clocks of MPEG may have wrapped around in some of the files.
  const turns = heads.map((head, at) => turnOf(head, (ownFirsts[at] ?? 0) - reference));
  const firsts = ownFirsts.map((first, at) => first + (turns[at] ?? 0));
  const earliest = Math.min(...firsts);
  const sharesClock = haveSharedClock(heads, firsts);
  const starts = ownFirsts.map((first, at) => (sharesClock ? earliest - (turns[at] ?? 0) : first));
  if (before.length === 0)
    return { begin: sharesClock ? earliest : 0, shifts: sharesClock ? turns : starts.map((start) => -start) };
  const leads = heads.flatMap((head, at) => (head === undefined ? [] : (leadOf(head, starts[at] ?? 0) ?? [])));
  const begin = startAfter(before, leads.length === 0 ? undefined : Math.max(...leads));
  return { begin, shifts: starts.map((start) => begin - start) };
}

/** Places parts of a file after each other. `begin` is set if their declared durations are used. */
function placeAll(parts: readonly PartStats[], shift: number, begin: number | undefined): PlacedPart[] {
  const placedParts: PlacedPart[] = [];
  let declaredStart = begin ?? Number.NaN;
  for (const part of parts) {
    const before = placedParts.at(-1);
    placedParts.push({ part, shift: before === undefined ? shift : shiftAfter(before, part, declaredStart) });
    declaredStart += part.declaredDuration ?? Number.NaN;
  }
  return placedParts;
}

function shiftAfter(before: PlacedPart, part: PartStats, declaredStart: number): number {
  const first = firstOf(part);
  const turn = turnOf(part, first + before.shift - Math.max(...endsOf([before], () => true)));
  const continuedStart = first + turn + before.shift;
  const ends = endsOf([before], () => true);
  const continuesClock = continuedStart + overlap >= Math.min(...ends) && continuedStart <= Math.max(...ends) + pause;
  if (continuesClock && part.section === before.part.section) return before.shift + turn;
  const lead = leadOf(part, first);
  const boundary = startAfter([before], lead);
  const isSilent = lead === undefined && endsOf([before], isVideo).length === 0;
  return (declaredStart >= boundary - (isSilent ? encoderPadding : 0) ? declaredStart : boundary) - first;
}

/**
 * Returns the time, in seconds, at which content after the given parts begins, if its first video frame is `lead`
 * seconds later.
 */
function startAfter(before: readonly PlacedPart[], lead: number | undefined): number {
  const end = Math.max(...endsOf(before, () => true));
  const pictures = Math.max(...endsOf(before, isVideo));
  if (lead === undefined || !Number.isFinite(pictures)) return end;
  return lead <= encoderPadding && end - pictures + lead <= encoderPadding ? pictures - lead : end;
}

function isVideo({ video }: PartStats, stream: number): boolean {
  return video[stream] === true;
}

function endsOf(placedParts: readonly PlacedPart[], matches: (part: PartStats, stream: number) => boolean): number[] {
  return placedParts.flatMap(({ part, shift }) => {
    return part.streams.flatMap((stats, at) => (stats !== undefined && matches(part, at) ? stats.end + shift : []));
  });
}

/** Returns the start of a file; infinity if it has no packets. */
function firstOf(part: PartStats): number {
  return Math.min(...part.streams.map((_, at) => startOf(part, at) ?? Number.POSITIVE_INFINITY));
}

function startOf({ streams, starts }: PartStats, at: number): number | undefined {
  const [first, start] = [streams[at]?.first, starts[at]];
  if (first === undefined || start === undefined) return first;
  return start > first && start <= first + encoderPadding ? start : first;
}

/** Returns the seconds from a time on a file's clock to its first video frame; undefined without video. */
function leadOf(part: PartStats, start: number): number | undefined {
  const firsts = part.streams.flatMap((_, at) => (isVideo(part, at) ? (startOf(part, at) ?? []) : []));
  return firsts.length === 0 ? undefined : Math.min(...firsts) - start;
}

/** Seconds after which a clock of MPEG wraps around: 33 bits at 90 kHz. */
const turnSeconds = 2 ** 33 / 90_000;

/** Returns the full turns, in seconds, that bring a clock as near as possible to another one, `ahead` of which it is. */
function turnOf(part: PartStats | undefined, ahead: number): number {
  return part?.clock === 'mpeg' && Number.isFinite(ahead) ? -Math.round(ahead / turnSeconds) * turnSeconds : 0;
}

/** Whether files of one input share a clock: their clocks are of one kind, and none begins after the others end. */
function haveSharedClock(heads: readonly (PartStats | undefined)[], firsts: readonly number[]): boolean {
  const parts = heads.filter((head) => head !== undefined);
  const times = firsts.filter(Number.isFinite);
  const alike = new Set(parts.map(({ clock }) => clock)).size === 1;
  const longest = Math.max(sharedClockSeconds, ...parts.map(({ declaredDuration = 0 }) => declaredDuration));
  return times.length < 2 || (alike && Math.max(...times) - Math.min(...times) < longest);
}

function joinStreams(line: readonly PlacedPart[]): FileStreams {
  const [first] = line;
  return (first?.part.streams ?? []).map((_, stream) => {
    return line.reduce<StreamStats | undefined>((before, { part, shift }) => {
      const own = part.pairs[stream];
      return joinStats(before, shiftStats(own === undefined ? undefined : part.streams[own], shift));
    }, undefined);
  });
}

function shiftStats(stats: StreamStats | undefined, by: number): StreamStats | undefined {
  if (stats === undefined) return undefined;
  const { first, last, end, gaps } = stats;
  const ends = { ...stats, first: first + by, last: last + by, end: end + by };
  return gaps === undefined ? ends : { ...ends, gaps: gaps.map(({ seconds, at }) => ({ seconds, at: at + by })) };
}

function joinStats(before: StreamStats | undefined, after: StreamStats | undefined): StreamStats | undefined {
  if (before === undefined || after === undefined) return before ?? after;
  const between = { seconds: after.first - before.last, at: before.last };
  const cutOff = (before.cutOff ?? 0) + (after.cutOff ?? 0);
  const hidden = (before.hidden ?? 0) + (after.hidden ?? 0);
  return {
    first: before.first,
    last: after.last,
    end: after.end,
    packets: (before.packets ?? 0) + (after.packets ?? 0),
    gaps: mergeLongestGaps(before.gaps ?? [], [between], after.gaps ?? []),
    jumps: before.jumps + after.jumps,
    ...(cutOff === 0 ? {} : { cutOff }),
    ...(hidden === 0 ? {} : { hidden }),
  };
}
