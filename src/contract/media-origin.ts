import type { MediaItem } from './media-items.ts';
import type { SourceStream } from './source-media.ts';

/**
 * What a platform was asked for, independent of the caller: enough to ask for the same media again. Sealed links contain
 * it. A caller cannot set it, because it makes the service send requests to a platform.
 */
export interface ItemOrigin {
  /** ID of the platform, such as `p1`. */
  readonly platform: string;
  /** Path of the endpoint, such as `/video/details`. */
  readonly endpoint: string;
  /** Parameters of the source query: the item, its country and its language. */
  readonly parameters: Readonly<Record<string, string | readonly string[] | undefined>>;
  /**
   * The parameters as the platform reads them, equal however a link is written. Absent in links of former versions.
   */
  readonly item?: string;
  /** Index of the item in `contents`. */
  readonly content: number;
  /** Number of items in `contents`, if there are several. If it changes, `content` may be the index of another item. */
  readonly contentCount?: number;
  /** The client profile that returned the links. Absent if the platform has only one. */
  readonly profile?: string;
  /**
   * The item and its channel as the block list names them. Absent in links of former versions, which ignore it.
   */
  readonly subjects?: readonly string[];
}

/** One of the files or playlists that an item consists of. */
export interface Representation {
  /** Unique among the representations of its kind. */
  readonly repId: string;
  readonly kind: SourceStream['kind'];
  /** Time at which its link expires, in milliseconds since 1970, if known. */
  readonly expiresAt?: number;
  /** Time at which its link was returned, in milliseconds since 1970, if its expiry is unknown. */
  readonly issuedAt?: number;
  /** Bits per second, if known. */
  readonly bitrate?: number;
}

/** Where the inputs of a job came from. */
export interface JobOrigin extends ItemOrigin {
  /** The representation of each input. */
  readonly representations: readonly Representation[];
}

/** Where a single media link came from. */
export interface LinkOrigin extends ItemOrigin {
  readonly representation: Representation;
}

/** Returns the representation of a media item whose link was just returned. */
export function representationOf(
  { repId }: Pick<MediaItem, 'repId'>,
  { kind, expiresAt, bitrate }: Pick<SourceStream, 'kind' | 'expiresAt' | 'bitrate'>,
): Representation {
  return {
    repId,
    kind,
    ...validityOf(expiresAt),
    ...(bitrate === undefined ? {} : { bitrate }),
  };
}

/** Returns the members of a representation that tell how long its new link is valid. */
export function validityOf(expiresAt: number | undefined): Pick<Representation, 'expiresAt' | 'issuedAt'> {
  return expiresAt === undefined ? { issuedAt: Date.now() } : { expiresAt };
}

/** Name of the client profile of platforms that have only one. */
export const onlyProfile = 'default';

/** Parameters that change the texts of a response and not its media. */
export const textParameters: readonly string[] = ['lang', 'getTranscript', 'transcriptLanguage'];

/** Returns a text that is the same for all links of an item, whatever the profile and the language. */
export function itemKeyOf({
  platform,
  endpoint,
  parameters,
  item,
}: Pick<ItemOrigin, 'platform' | 'endpoint' | 'parameters' | 'item'>): string {
  if (item !== undefined) return JSON.stringify([platform, endpoint, item]);
  const named = Object.entries(parameters).filter(
    ([name, value]) => value !== undefined && !textParameters.includes(name),
  );
  return JSON.stringify([platform, endpoint, named.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}
