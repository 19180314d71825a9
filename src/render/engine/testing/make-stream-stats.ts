import { FileStats, type StreamStats } from '../timing/stream-stats.ts';
import { concatenateStats, type FileStreams, type PartStats } from '../verification/concatenate-stats.ts';

/** A test packet, in seconds. It is presented when it is decoded unless `presented` is set. */
export interface TestPacket {
  readonly stream?: number;
  readonly at: number;
  readonly presented?: number;
  readonly duration?: number;
}

/** Returns packets of one stream, one every `step` seconds. */
export function evenPackets(seconds: number, step: number, start = 0, stream = 0): TestPacket[] {
  const count = Math.round(seconds / step);
  return Array.from({ length: count }, (_, packet) => ({ stream, at: start + packet * step, duration: step }));
}

/** Returns the statistics of packets in the given order; each list is a part. */
export function statsOf(parts: readonly (readonly TestPacket[])[], mayJump = false, streams = 1): FileStreams {
  const files = parts.map((packets, section): PartStats => {
    const stats = new FileStats({ continuous: Array.from({ length: streams }, () => true), mayJump });
    for (const { stream = 0, at, presented = at, duration = 0 } of packets) {
      stats.add(stream, at, presented, duration);
    }
    const own = Array.from({ length: streams }, (_, stream) => stream);
    return { streams: stats.all(), video: own.map(() => false), pairs: own, starts: [], clock: 'mpeg', section };
  });
  return concatenateStats([files])[0] ?? [];
}

/** Returns the statistics of a stream with a constant packet rate. */
export function evenStats(seconds: number, step: number, start = 0): StreamStats {
  const [stats] = statsOf([evenPackets(seconds, step, start)]);
  if (stats === undefined) throw new Error('a stream without packets has no statistics');
  return stats;
}
