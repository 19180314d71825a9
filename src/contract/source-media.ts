import type { MediaItem } from './media-items.ts';
import type { SubtitleFormat } from './output-additions.ts';

/** A media item and the data that a render needs about it. */
export interface SourceMedia {
  readonly item: MediaItem;
  readonly stream?: SourceStream;
}

/** The data that a render needs about a stream. */
export interface SourceStream {
  /** `m3u8` for HLS, otherwise the file's extension. */
  readonly ext: string;
  readonly kind: 'muxed' | 'video' | 'audio';
  /** Exact size in bytes, if known. */
  readonly bytes?: number;
  /** Size in bytes, estimated as bandwidth × duration if the exact size is unknown. */
  readonly estimatedBytes?: number;
  /** Bits per second, for ordering. */
  readonly bitrate?: number;
  /** Codec family of the video, such as `h264`, `av1`, `vp9`. */
  readonly videoCodec?: string;
  /** Codec family of the audio, such as `aac`, `opus`. */
  readonly audioCodec?: string;
  /** Language tag of the audio, if known. */
  readonly language?: string;
  /**
   * Position of the audio among versions in its language, from 0: the original, dubs, and last audio descriptions.
   * Default: 0.
   */
  readonly versionRank?: number;
  /**
   * Whether this is a secondary version (a dub, an audio-described or HDR version). It is used only if requested by its
   * label or if there is no other.
   */
  readonly secondary?: boolean;
  /** Headers that the CDN requires. They may contain cookies and are never disclosed. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Whether plain clients cannot fetch the file, because `headers` contain values that a caller cannot know (a cookie)
   * or a browser does not send (a Referer of the site). Callers then get a relay link instead of the plain one,
   * regardless of `urlAccess`.
   */
  readonly relayOnly?: boolean;
  /** Time at which the link expires, in milliseconds since 1970. */
  readonly expiresAt?: number;
}

/** Captions of a video, as the platform offers them. */
export interface SourceCaptions {
  readonly url: string;
  readonly format: SubtitleFormat;
  /** Language tag. */
  readonly language: string;
  /** The platform's name of the track. */
  readonly title?: string;
  /** Whether they come from speech recognition or machine translation. */
  readonly automatic: boolean;
  /** Headers that the platform requires. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Set if only the platform's own player can fetch them. */
  readonly playerOnly?: true;
}
