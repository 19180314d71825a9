import type { Clip } from '../contract/clip.ts';
import type { VideoCodec } from '../contract/encoding.ts';
import type { OutputMetadata } from '../contract/output-additions.ts';
import type { AudioFormat, EmbeddedPart } from '../contract/render-parameters.ts';

/** What a caller requests about the files to render. */
export interface RenderOptions {
  /** Values of `renderableFormats` without duplicates; absent for no videos. */
  readonly formats?: readonly string[];
  /** Codec of the video of rendered files; absent for the one that most devices play. */
  readonly videoCodec?: VideoCodec;
  readonly audioFormats: readonly AudioFormat[];
  /** Bit rate of encoded audio, in kbit/s. */
  readonly audioBitrate?: number;
  /** Language tags of the audio tracks; empty for the platform's choice. */
  readonly audioLanguages: readonly string[];
  readonly clip?: Clip;
  readonly embed: ReadonlySet<EmbeddedPart>;
  /** Language tags of the subtitles to embed; empty for all that a person wrote. */
  readonly subtitleLanguages: readonly string[];
  /** Tags that replace those of the platform. */
  readonly tags?: OutputMetadata;
  /** Maximum size of a file in bytes. */
  readonly maxSize?: number;
}

/** The options of a request without parameters for rendered files. */
export const defaultRenderOptions: RenderOptions = {
  audioFormats: [],
  audioLanguages: [],
  embed: new Set(['metadata', 'chapters'] as const),
  subtitleLanguages: [],
};
