import type { MediaItem } from './media-items.ts';

/** A media item, and what a render needs to know of it. */
export interface SourceMedia {
  readonly item: MediaItem;
  readonly stream?: SourceStream;
}

/** What a render needs to know of a stream. */
export interface SourceStream {
  /** `m3u8` for HLS, else the file's extension. */
  readonly ext: string;
  readonly kind: 'muxed' | 'video' | 'audio';
  /** Bytes, when known exactly. */
  readonly bytes?: number;
  /** Bytes, estimated as bandwidth × duration where the exact number is unknown. */
  readonly estimatedBytes?: number;
  /** Bits a second, for ordering. */
  readonly bitrate?: number;
  /** Codec family of its video, such as `h264`, `av1`, `vp9`. */
  readonly videoCodec?: string;
  /** Codec family of its sound, such as `aac`, `opus`. */
  readonly audioCodec?: string;
  /**
   * Whether it is a lesser version (a dub, a described or HDR version): taken only when asked for by its label or
   * where nothing else is there.
   */
  readonly secondary?: boolean;
  /** Headers that its CDN insists on. They may hold cookies, and are told to nobody. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Whether no plain client gets the file, since `headers` hold what a caller cannot know (a cookie) or a browser does
   * not send (a Referer of the site): callers then get a relay link in place of the plain one, whatever `urlAccess`
   * says.
   */
  readonly relayOnly?: boolean;
  /** When its link dies, as milliseconds since 1970. */
  readonly expiresAt?: number;
}
