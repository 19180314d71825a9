import { isMedia } from '../../track-plan/operation-streams.ts';
import type { MediaDescription, StreamDescription } from './media-description.ts';

/** Seconds that encoders add or round at the ends: an audio frame and a video frame. */
const rounding = 0.1;

/**
 * Returns the timing differences between an encoded result and its source: the start and end of each stream, relative
 * to the start of the first one. Empty if there are none.
 */
export function timingDifferences(source: MediaDescription, result: MediaDescription): string[] {
  const [from, to] = [source, result].map(({ streams }) =>
    streams
      .filter(({ kind, flags }) => isMedia({ kind, cover: flags.includes('cover') }))
      .toSorted(byKind)
      .map((stream) => ({ ...playedRange(stream), pictures: picturesOf(stream) })),
  );
  if (from === undefined || to === undefined || from.length !== to.length) {
    return [`${to?.length} streams instead of ${from?.length}`];
  }
  const [fromZero, toZero] = [from[0]?.first ?? 0, to[0]?.first ?? 0];
  return from.flatMap((stream, at) => {
    const other = to[at];
    if (other === undefined) return [];
    const lostPictures =
      other.pictures === stream.pictures
        ? []
        : [`stream ${at} has ${other.pictures} frames instead of ${stream.pictures}`];
    const late = {
      begins: other.first - toZero - (stream.first - fromZero),
      ends: other.end - toZero - (stream.end - fromZero),
    };
    const timeDifferences = Object.entries(late).flatMap(([what, seconds]) => {
      return Math.abs(seconds) <= rounding ? [] : [`stream ${at} ${what} ${seconds.toFixed(3)} s late`];
    });
    return [...lostPictures, ...timeDifferences];
  });
}

function byKind(a: StreamDescription, b: StreamDescription): number {
  return (a.kind === 'video' ? 0 : 1) - (b.kind === 'video' ? 0 : 1);
}

/**
 * Returns the start and end of a stream in seconds. Matroska packets before zero only prime decoders. Raw streams have
 * no timestamps, and begin at zero.
 */
function playedRange(stream: StreamDescription) {
  const { packets, tick } = stream;
  const shownPackets = packets.filter(({ discard, pts }) => !discard && pts !== null);
  if (shownPackets.length === 0 && packets.every(({ dts }) => dts !== null)) return decodedRange(stream);
  if (shownPackets.length === 0)
    return { first: 0, end: packets.reduce((sum, { duration }) => sum + duration, 0) * tick };
  // FLV does not store packet durations: the last packet lasts as long as the previous one.
  const [before = 0, last = 0] = shownPackets
    .map(({ pts }) => pts ?? 0)
    .toSorted((a, b) => a - b)
    .slice(-2);
  return {
    first: Math.max(0, Math.min(...shownPackets.map(({ pts }) => (pts ?? 0) * tick))),
    end: Math.max(...shownPackets.map(({ pts, duration }) => ((pts ?? 0) + (duration || last - before)) * tick)),
  };
}

/**
 * Returns the time range of a stream whose file only declares decoding times. Each frame is delayed by the same time.
 */
function decodedRange({ packets, tick, delay }: StreamDescription) {
  const times = packets.map(({ dts }) => (dts ?? 0) * tick);
  const [last = 0, duration = 0] = [times.at(-1), packets.at(-1)?.duration];
  return { first: (times[0] ?? 0) + delay * duration * tick, end: last + (delay + 1) * duration * tick };
}

/** Returns the number of presented frames; 0 for audio, which encoders may split at any sample. */
function picturesOf({ kind, packets }: StreamDescription): number {
  return kind === 'video' ? packets.filter(({ discard }) => !discard).length : 0;
}
