import { channelIdPattern, playlistIdPattern, videoIdPattern } from '../links.ts';

/** A comment's id (`Ug…`, `z…` before 2017); that of a reply has its own part behind a dot. */
export const commentIdPattern = /^[A-Za-z0-9_-]{10,100}(?:\.[A-Za-z0-9_-]{5,100})?$/;

const matcher =
  (pattern: RegExp) =>
  (value: unknown): string | undefined =>
    typeof value === 'string' && pattern.test(value) ? value : undefined;

/** The value, if it is a video's id. */
export const videoIdOf = matcher(videoIdPattern);

/** The value, if it is a channel's id. */
export const channelIdOf = matcher(channelIdPattern);

/** The value, if it is a playlist's id. */
export const playlistIdOf = matcher(playlistIdPattern);

/** Address of a video's page. */
export const videoUrl = (id: string) => `https://www.youtube.com/watch?v=${id}`;

/** Address of a short's page. */
export const shortUrl = (id: string) => `https://www.youtube.com/shorts/${id}`;

/** Address of a playlist's page. */
export const playlistUrl = (id: string) => `https://www.youtube.com/playlist?list=${id}`;

/** Address of a channel's page. */
export const channelUrl = (id: string) => `https://www.youtube.com/channel/${id}`;
