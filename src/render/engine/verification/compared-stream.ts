import type { StreamOrigin } from '../tasks/report.ts';
import type { StreamFigures } from '../timing/stream-stats.ts';
import type { Extent } from '../timing/timeline.ts';

/** A video or audio stream of a result, with the figures to be compared. */
export interface ComparedStream {
  readonly kind: 'video' | 'audio';
  /** Name of its codec. */
  readonly codec: string;
  readonly origin: StreamOrigin;
  /** Figures of the packets that the muxer was given; absent without packets. */
  readonly written?: StreamFigures;
  /** Figures of the finished file; absent if its reader cannot determine them. */
  readonly found?: StreamFigures;
}

/** A source of a mix, and when it should play. */
export interface PlacedSource {
  readonly input: number;
  readonly expected: StreamFigures;
  readonly mixed?: Extent;
  /** Seconds by which it may begin, and end, elsewhere. */
  readonly startSlack: number;
  readonly endSlack: number;
}
