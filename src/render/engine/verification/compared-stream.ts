import type { StreamOrigin } from '../tasks/report.ts';
import type { StreamStats } from '../timing/stream-stats.ts';
import type { Extent } from '../timing/timeline.ts';

/** A video or audio stream of a result, with the statistics to compare. */
export interface ComparedStream {
  readonly kind: 'video' | 'audio';
  /** Name of its codec. */
  readonly codec: string;
  readonly origin: StreamOrigin;
  /**
   * Whether all frames at its beginning must be there. Clips begin where decoding can, so that none is missing unless a
   * note names the loss.
   */
  readonly beginsWhole?: boolean;
  /** Statistics of the packets that were passed to the muxer; absent without packets. */
  readonly muxerStats?: StreamStats;
  /** Statistics of the finished file; absent if its reader cannot determine them. */
  readonly fileStats?: StreamStats;
}

/** A source of a mix, and the time at which it should play. */
export interface PlacedSource {
  readonly input: number;
  readonly expected: StreamStats;
  readonly mixed?: Extent;
  /** Tolerance for its start and its end, in seconds. */
  readonly startSlack: number;
  readonly endSlack: number;
}
