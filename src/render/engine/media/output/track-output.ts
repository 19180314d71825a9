import type { ContainerFormat } from '../../formats/container-formats.ts';
import type { Track } from '../../track-plan/track.ts';
import type { Sink } from '../sink.ts';
import type { OutputStream } from './result-writer.ts';

/** A stream of the result. */
export interface TrackOutput {
  readonly track: Track;
  readonly output: OutputStream;
  /** Where the packets of each of its sources go. */
  readonly sinks: readonly Sink[];
}

/** Whether the container leaves a stream out because it got no packet. */
export function isDropped({ output }: TrackOutput, { dropsEmptyStreams }: ContainerFormat): boolean {
  return dropsEmptyStreams === true && output.stats() === undefined && output.codec() !== 'mov_text';
}
