import type { ItemOrigin, Representation } from '../contract/media-origin.ts';

/** A request for new links to representations of one item. */
export interface FreshLinksQuery {
  readonly item: ItemOrigin;
  /** ID of the account that the links were requested for, or of its visitor. */
  readonly owner: string;
  /** The representations to find. */
  readonly representations: readonly Representation[];
  /** ID of the exit that the links must be bound to. */
  readonly exit: string;
  /** Client profiles whose links were refused. They are asked last. */
  readonly failedProfiles: readonly string[];
  /** The only client profile to ask. If absent, any may be asked. */
  readonly onlyProfile?: string;
}

/** A new link to a representation. */
export interface FreshLink {
  readonly url: string;
  /** `m3u8` for HLS, otherwise the file's extension. */
  readonly ext: string;
  /** Headers that the CDN requires. They may contain cookies. */
  readonly headers: Readonly<Record<string, string>>;
  /** Exact size in bytes, if known. */
  readonly bytes?: number;
  /** Time at which the link expires, in milliseconds since 1970, if known. */
  readonly expiresAt?: number;
}

/** New links to the representations of a query, all from one extraction. */
export interface FreshLinks {
  /** The client profile that returned them. Absent if the platform has only one. */
  readonly profile?: string;
  /** The link to each representation of the query; undefined if the item no longer has it. */
  readonly links: readonly (FreshLink | undefined)[];
}

/**
 * Asks a platform for new links, within the limits that apply to all its requests.
 *
 * @throws MillraceError with the platform's refusal, or why it could not be asked.
 */
export type FindFreshLinks = (query: FreshLinksQuery, signal: AbortSignal) => Promise<FreshLinks>;
