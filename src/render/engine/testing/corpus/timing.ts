import type { MediaFacts, StreamFacts } from './facts.ts';

/** Seconds that encoders add and round at the ends: a frame of sound and one of the picture. */
const rounding = 0.1;

/**
 * How an encoded result's timing differs from its source: how long each stream plays, and by how much it begins and
 * ends before or behind the first one. Nothing when it does not.
 */
export function timingDifferences(source: MediaFacts, result: MediaFacts): string[] {
  const [from, to] = [source, result].map(({ streams }) => streams.filter(isMedia).toSorted(byKind).map(playedOf));
  if (from === undefined || to === undefined || from.length !== to.length) {
    return [`${to?.length} streams instead of ${from?.length}`];
  }
  const [fromZero, toZero] = [from[0]?.first ?? 0, to[0]?.first ?? 0];
  return from.flatMap((stream, at) => {
    const other = to[at];
    if (other === undefined) return [];
    const late = {
      begins: other.first - toZero - (stream.first - fromZero),
      ends: other.end - toZero - (stream.end - fromZero),
    };
    return Object.entries(late).flatMap(([what, seconds]) => {
      return Math.abs(seconds) <= rounding ? [] : [`stream ${at} ${what} ${seconds.toFixed(3)} s late`];
    });
  });
}

function isMedia({ kind, flags }: StreamFacts): boolean {
  return (kind === 'video' || kind === 'audio') && !flags.includes('cover');
}

function byKind(a: StreamFacts, b: StreamFacts): number {
  return (a.kind === 'video' ? 0 : 1) - (b.kind === 'video' ? 0 : 1);
}

/**
 * Seconds between which a stream plays. What Matroska has before zero only gets decoders going; raw streams have no
 * times, and play from zero.
 */
function playedOf({ packets, tick }: StreamFacts) {
  const shown = packets.filter(({ discard, pts }) => !discard && pts !== null);
  if (shown.length === 0) return { first: 0, end: packets.reduce((sum, { duration }) => sum + duration, 0) * tick };
  // FLV does not say how long a packet lasts: the last one, as long as the one before.
  const [before = 0, last = 0] = shown
    .map(({ pts }) => pts ?? 0)
    .toSorted((a, b) => a - b)
    .slice(-2);
  return {
    first: Math.max(0, Math.min(...shown.map(({ pts }) => (pts ?? 0) * tick))),
    end: Math.max(...shown.map(({ pts, duration }) => ((pts ?? 0) + (duration || last - before)) * tick)),
  };
}
