import type { OutputContainer } from '../../../contract/containers.ts';
import type { OutputNote } from '../../../contract/output-notes.ts';
import type { TrackKind } from '../formats/container-formats.ts';
import type { SourceStream } from './source-stream.ts';

/** One stream of the result. */
export interface Track {
  readonly kind: TrackKind;
  /** `mix` decodes all its sources and encodes their sum. Encoded subtitles become text of another format. */
  readonly action: 'copy' | 'encode' | 'mix';
  /** One stream; for `mix`, one stream of each input that has audio. */
  readonly sources: readonly SourceStream[];
  /** Factors of the amplitudes of the sources of a mix, in the same order. Default: 1. */
  readonly volumes?: readonly number[];
}

/** The tracks of the result in order, and the notes about streams that were left out. */
export interface TrackPlan {
  readonly container: OutputContainer;
  readonly tracks: readonly Track[];
  readonly notes: readonly OutputNote[];
}
