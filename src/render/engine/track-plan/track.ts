import type { OutputContainer } from '../../../contract/containers.ts';
import type { OutputNote } from '../../../contract/output-notes.ts';
import type { TrackKind } from '../formats/container-formats.ts';
import type { SourceStream } from './source-stream.ts';

/** One stream of the result. */
export interface Track {
  readonly kind: TrackKind;
  /** `mix` decodes all its sources and encodes their sum. Subtitles that are encoded become text of another format. */
  readonly action: 'copy' | 'encode' | 'mix';
  /** One stream, or for `mix` one of each input. */
  readonly sources: readonly SourceStream[];
}

/** What goes where: the result's streams in their order, and what was left out. */
export interface TrackPlan {
  readonly container: OutputContainer;
  readonly tracks: readonly Track[];
  readonly notes: readonly OutputNote[];
}
