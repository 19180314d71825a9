import type { LinkOrigin } from '../contract/media-origin.ts';

/** Where a playlist member was listed: enough to find it again when the playlist has a new link. */
export interface MemberPlace {
  /** Where the playlist came from. If a master playlist listed it, where the master playlist came from. */
  readonly origin: LinkOrigin;
  /** ID of the relay link of that playlist. All its members share one replacement. */
  readonly link: string;
  /** Time at which the source link that listed the member replaced the sealed one; 0 if it is the sealed one. */
  readonly version: number;
  /** Its position in the playlist, after that of the playlist in the master playlist. */
  readonly path: readonly Position[];
  /** Number of links in the media playlist, all of which are media; absent for a media playlist. */
  readonly count?: number;
  /** Whether the media playlist is live, so that its members soon disappear. */
  readonly isLive?: true;
}

/** A position in a playlist. */
export interface Position {
  /** Index among the links of the playlist. */
  readonly index: number;
  /** Digest of the playlist without its links. The index is valid only in a playlist with the same digest. */
  readonly digest: string;
}

/** Returns the ID of a version of a playlist, from the link it belongs to and its path below that link's playlist. */
export function playlistIdOf({ link, version, path }: Pick<MemberPlace, 'link' | 'version' | 'path'>): string {
  return [link, version, ...path.map(({ index }) => index)].join(' ');
}
