import type { ContainerFormat } from '../../formats/container-formats.ts';
import type { Track } from '../../track-plan/track.ts';
import type { Sink } from '../sink.ts';
import type { OutputStream } from './result-writer.ts';

/** A stream of the result. */
export interface TrackOutput {
  readonly track: Track;
  readonly output: OutputStream;
  /** Destinations for the packets of each of its sources. */
  readonly sinks: readonly Sink[];
}

/** Whether the container omits a stream because it received no packets. */
export function isDropped({ output }: TrackOutput, { dropsEmptyStreams }: ContainerFormat): boolean {
  return dropsEmptyStreams === true && output.stats() === undefined && output.codec() !== 'mov_text';
}
