import { channelIdPattern, playlistIdPattern, videoIdPattern } from '../links.ts';

/** Pattern of a comment ID (`Ug…`, `z…` before 2017). A reply's ID has a suffix after a dot. */
export const commentIdPattern = /^[A-Za-z0-9_-]{10,100}(?:\.[A-Za-z0-9_-]{5,100})?$/;

const matcher =
  (pattern: RegExp) =>
  (value: unknown): string | undefined =>
    typeof value === 'string' && pattern.test(value) ? value : undefined;

/** Returns the value if it is a video ID. */
export const videoIdOf = matcher(videoIdPattern);

/** Returns the value if it is a channel ID. */
export const channelIdOf = matcher(channelIdPattern);

/** Returns the value if it is a playlist ID. */
export const playlistIdOf = matcher(playlistIdPattern);

/** Returns the address of a video's page. */
export const videoUrl = (id: string) => `https://www.youtube.com/watch?v=${id}`;

/** Returns the address of a short's page. */
export const shortUrl = (id: string) => `https://www.youtube.com/shorts/${id}`;

/** Returns the address of a playlist's page. */
export const playlistUrl = (id: string) => `https://www.youtube.com/playlist?list=${id}`;

/** Returns the address of a channel's page. */
export const channelUrl = (id: string) => `https://www.youtube.com/channel/${id}`;

/**
 * Returns the channel whose uploads (`UU…`, `UULF…` and others by type), popular videos (`PU…`), likes or favourites a
 * playlist lists: the ID of such a playlist has the ID of the channel after its prefix.
 */
export function ownerOfPlaylist(id: string): string | undefined {
  const name = /^(?:UU(?:[A-Z]{2})?|PU|LL|FL)([A-Za-z0-9_-]{22})$/.exec(id)?.[1];
  return name === undefined ? undefined : `UC${name}`;
}
