import { AV_CODEC_ID_AAC, AV_CODEC_ID_MP3 } from 'node-av/constants';
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

/** Codecs whose priming the first packets contain. That of Opus is also in its header, which applies to a clip as well. */
const primedCodecs: ReadonlySet<number> = new Set([AV_CODEC_ID_AAC, AV_CODEC_ID_MP3]);

/**
 * Lets a copied clip state no priming. The clip begins behind that of its source, so that players would skip what is to be
 * heard.
 */
export function forgetPriming({ track, output }: TrackOutput): void {
  const { codecpar } = output.stream;
  if (track.action === 'copy' && primedCodecs.has(codecpar.codecId)) codecpar.initialPadding = 0;
}
