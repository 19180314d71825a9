import type { OutputContainer } from '../../../../contract/containers.ts';
import { canHold, containerFormats } from '../../formats/container-formats.ts';
import { isTextSubtitle } from '../../subtitles/subtitle-text.ts';
import {
  allowedFlags,
  codecAsRead,
  isCut,
  keepsLastDuration,
  keyAllowed,
  traitAllowed,
  unneededLead,
} from './allowances.ts';
import type { MediaDescription, PacketDescription, StreamDescription } from './media-description.ts';

/**
 * Maximum distance of a result's start from zero, in seconds: encoder delay makes audio begin before zero, and B-frames
 * delay the first frame.
 */
const nearZero = 0.3;

/**
 * Returns the differences between a copy and its source beyond what its container cannot store (see `allowances.ts`):
 * streams, packets and their contents, timestamps and durations, and the description of each stream. Empty if there are
 * none.
 */
export function differencesOf(source: MediaDescription, copy: MediaDescription, ext: OutputContainer): string[] {
  const expectedResult = expectedStreams(source, ext);
  const actual = copy.streams.filter(({ kind }) => kind !== 'attachment');
  const [expectedNames, actualNames] = [
    expectedResult.map(({ stream, codec }) => `${stream.kind} ${codecAsRead(codec, ext)}`).join(', '),
    actual.map(({ kind, codec }) => `${kind} ${codec}`).join(', '),
  ];
  if (actualNames !== expectedNames) return [`it has ${actualNames} instead of ${expectedNames}`];
  const pairs = expectedResult.flatMap(({ stream, codec }, at): Pair[] => {
    const other = actual[at];
    if (other === undefined) return [];
    const names = { name: `${codec} ${at}`, copied: codec === stream.codec };
    // Subtitles that become timed text have gap packets, which the source does not have.
    const [from, to] = names.copied ? [stream, other] : [withoutGaps(stream), withoutGaps(other)];
    return [{ ...names, source: from, copy: to }];
  });
  const shift = shiftOf(pairs);
  return [...pairs.flatMap((pair) => pairDifferences(pair, source, ext, shift)), ...startDifferences(actual)];
}

/** A stream of the source and its counterpart in the result. */
interface Pair {
  readonly name: string;
  readonly source: StreamDescription;
  readonly copy: StreamDescription;
  /** Whether its packets are copied, rather than converted like those of text subtitles. */
  readonly copied: boolean;
}

const ranks = { video: 0, audio: 1, subtitle: 2, data: 4, attachment: 5 };

function isCover({ flags }: StreamDescription): boolean {
  return flags.includes('cover');
}

/**
 * Removes gaps. Timed text in MP4 fills the time between two cues with packets of two bytes, which mean that there is
 * no text.
 */
function withoutGaps(stream: StreamDescription): StreamDescription {
  return stream.codec === 'mov_text' ? { ...stream, packets: stream.packets.filter(({ bytes }) => bytes > 2) } : stream;
}

/** Returns the streams that a result must have, in order, and the codec of each. */
function expectedStreams({ streams }: MediaDescription, ext: OutputContainer) {
  const container = containerFormats[ext];
  return streams
    .flatMap((stream) => {
      const { kind, codec } = stream;
      // Matroska stores covers as attached files, which its demuxer reports as streams again.
      if (isCover(stream)) return container.coverCodecs.includes(codec) ? [{ stream, codec, rank: 3 }] : [];
      const rank = ranks[kind];
      if (kind === 'video' || kind === 'audio' || canHold(container, kind, codec)) return [{ stream, codec, rank }];
      const { subtitleText } = container;
      const text = kind === 'subtitle' && isTextSubtitle(codec) && subtitleText !== undefined;
      return text ? [{ stream, codec: subtitleText, rank }] : [];
    })
    .toSorted((a, b) => a.rank - b.rank);
}

/** Returns the shift of the whole copy relative to its source, in seconds. */
function shiftOf(pairs: readonly Pair[]): number {
  for (const { source, copy } of pairs) {
    if (isCover(source)) continue;
    const [from, to] = [source.packets[0]?.pts, copy.packets[0]?.pts];
    if (typeof from === 'number' && typeof to === 'number') return to * copy.tick - from * source.tick;
  }
  return 0;
}

function pairDifferences(pair: Pair, media: MediaDescription, ext: OutputContainer, shift: number): string[] {
  const { name, source, copy, copied } = pair;
  const packets = isCut(source.codec, ext)
    ? wholeDifferences(source, copy, shift)
    : packetDifferences(source, copy, ext, copied, isCover(source) ? undefined : shift);
  return [...packets, ...traitDifferences(source, copy, media, ext)].map((difference) => `${name}: ${difference}`);
}

/** Returns the tolerance for equal times on two clocks, in seconds: a tick of each. */
function precision(source: StreamDescription, copy: StreamDescription): number {
  return source.tick + copy.tick + 1e-6;
}

/**
 * Returns the differences of a stream whose packets are compared one by one. Timestamps are compared only if a shift is
 * given.
 */
function packetDifferences(
  whole: StreamDescription,
  copy: StreamDescription,
  ext: OutputContainer,
  copied: boolean,
  shift: number | undefined,
): string[] {
  const missing = Math.min(Math.max(0, whole.packets.length - copy.packets.length), unneededLead(whole));
  const source = { ...whole, packets: whole.packets.slice(missing) };
  if (source.packets.length !== copy.packets.length) {
    return [`${copy.packets.length} packets instead of ${source.packets.length}`];
  }
  const off = (differs: (from: PacketDescription, to: PacketDescription) => boolean) => {
    return source.packets.findIndex((from, at) => {
      const to = copy.packets[at];
      return to === undefined || differs(from, to);
    });
  };
  const most = precision(source, copy);
  const checks: [what: string, at: number][] = [];
  if (copied) checks.push(['has other content', off((from, to) => from.essence !== to.essence)]);
  checks.push([
    'has another keyframe flag',
    off((from, to) => from.key !== to.key && !(to.key && keyAllowed(source.codec, ext))),
  ]);
  if (shift !== undefined) {
    const hasOtherTime = (from: PacketDescription, to: PacketDescription) => {
      if (from.pts === null || to.pts === null) return false;
      return Math.abs(to.pts * copy.tick - from.pts * source.tick - shift) > most;
    };
    checks.push(['has another presentation time', off(hasOtherTime)]);
    const hidden = (from: PacketDescription, to: PacketDescription) =>
      to.discard && !from.discard && source.kind === 'video';
    checks.push(['is hidden', off(hidden)]);
  }
  const differences = checks.flatMap(([what, at]) => {
    if (at < 0) return [];
    const [from, to] = [source.packets[at], copy.packets[at]];
    return [`packet ${at} ${what} (${describePacket(from, source.tick)} became ${describePacket(to, copy.tick)})`];
  });
  if (shift !== undefined && keepsLastDuration(ext)) differences.push(...endDifference(source, copy, shift));
  return differences;
}

/**
 * Compares the ends of a copy and its source. The duration of every packet but the last follows from the next one. A
 * last audio packet that the source trims may be played completely, or end where players of the source end it.
 */
function endDifference(source: StreamDescription, copy: StreamDescription, shift: number): string[] {
  const [from, to] = [extentOf(source), extentOf(copy)];
  const late = to.end - from.end - shift;
  const most = precision(source, copy);
  const unknown = source.packets.some(({ duration, pts }) => pts !== null && duration === 0);
  if (unknown) return to.end > to.last ? [] : ['its last packet has no duration'];
  const maxPadding =
    source.kind === 'audio' ? Math.max(...copy.packets.map(({ duration }) => duration)) * copy.tick : 0;
  const skipped = (source.packets.at(-1)?.skippedEnd ?? 0) / Number(source.traits.rate ?? 1);
  return late >= -most - skipped && late <= maxPadding + most ? [] : [`it ends ${late.toFixed(4)} s late`];
}

function describePacket(packet: PacketDescription | undefined, tick: number): string {
  if (packet === undefined) return 'nothing';
  const { pts, duration, bytes, key, discard } = packet;
  const time = pts === null ? 'no time' : `${(pts * tick).toFixed(4)} s`;
  return `${time}, ${(duration * tick).toFixed(4)} s, ${bytes} bytes${key ? ', key' : ''}${discard ? ', hidden' : ''}`;
}

/**
 * Returns the seconds that may be added at the end: a block of ADPCM is always full, and WAV does not declare how much
 * of it to play.
 */
function paddingOf({ codec, packets, tick }: StreamDescription): number {
  return codec.startsWith('adpcm_') ? Math.max(...packets.map(({ duration }) => duration)) * tick : 0;
}

/** Returns the differences of a stream that demuxers may split into packets at any point. */
function wholeDifferences(source: StreamDescription, copy: StreamDescription, shift: number): string[] {
  const [from, to] = [extentOf(source), extentOf(copy)];
  const most = precision(source, copy);
  const late = to.end - from.end - shift;
  return [
    ...(from.bytes === to.bytes ? [] : [`${to.bytes} bytes instead of ${from.bytes}`]),
    ...(source.essence === copy.essence ? [] : ['it has other content']),
    ...(Math.abs(to.first - from.first - shift) > most
      ? [`it begins at ${to.first} s instead of ${from.first} s`]
      : []),
    ...(late < -most || late > most + paddingOf(source) ? [`it ends at ${to.end} s instead of ${from.end} s`] : []),
  ];
}

function extentOf({ packets, tick }: StreamDescription) {
  return {
    bytes: packets.reduce((sum, { bytes }) => sum + bytes, 0),
    first: (packets[0]?.pts ?? 0) * tick,
    last: Math.max(0, ...packets.map(({ pts }) => pts ?? 0)) * tick,
    end: Math.max(0, ...packets.map(({ pts, duration }) => (pts ?? 0) + duration)) * tick,
  };
}

function traitDifferences(
  source: StreamDescription,
  copy: StreamDescription,
  { format }: MediaDescription,
  ext: OutputContainer,
): string[] {
  const names = new Set([...Object.keys(source.traits), ...Object.keys(copy.traits)]);
  const traits = [...names].flatMap((name) => {
    const [from, to] = [source.traits[name], copy.traits[name]];
    if (from === to || traitAllowed({ name, from, to, format, ext, stream: source })) return [];
    return [`its ${name} is ${to ?? 'not declared'} instead of ${from ?? 'not declared'}`];
  });
  const flags = allowedFlags(format, ext);
  const [from, to] = [source.flags, copy.flags].map((all) => all.filter((flag) => flags.includes(flag)).join());
  return from === to ? traits : [...traits, `its flags are ${to || 'none'} instead of ${from || 'none'}`];
}

/** Checks that a result begins at zero, regardless of the clock of its source. */
function startDifferences(streams: readonly StreamDescription[]): string[] {
  const firsts = streams
    .filter(({ kind, flags }) => (kind === 'video' || kind === 'audio') && !flags.includes('cover'))
    .flatMap(({ packets, tick }) => {
      const shownPackets = packets.filter(({ discard }) => !discard);
      return (shownPackets.length === 0 ? packets : shownPackets).flatMap(({ pts }) =>
        pts === null ? [] : [pts * tick],
      );
    });
  const first = Math.min(...firsts);
  return Math.abs(first) <= nearZero ? [] : [`it begins at ${first.toFixed(3)} s`];
}
