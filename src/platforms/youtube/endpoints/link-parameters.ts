import { queryParameter } from '../../../contract/query-parameters.ts';
import { readLinkParameter } from '../../link-parameter.ts';
import {
  channelIdPattern,
  isYoutubeLink,
  playlistIdPattern,
  postIdPattern,
  videoIdPattern,
  youtube,
} from '../links.ts';

/** Maximum length of a parameter that accepts text around a link. */
export const MAX_LINK_TEXT = 4_000;

/** What a parameter may be, and how its value is found in a link. */
interface ValueParameter {
  readonly name: string;
  readonly pattern: RegExp;
  /** For messages: "a video ID, which has 11 characters, or a link to a video". */
  readonly expected: string;
  /** What a link must do, for messages: "lead to a video". */
  readonly purpose: string;
}

/** Returns the video ID that a `videoId` parameter is or whose link it contains. Throws the errors of `readValue`. */
export function readVideoId(text: string): string {
  const expected = 'a video ID, which has 11 characters, or a link to a video';
  return readValue(text, { name: 'videoId', pattern: videoIdPattern, expected, purpose: 'lead to a video' });
}

/**
 * Returns the playlist ID that a `playlistId` parameter is or whose link it contains. A video's link may contain one.
 * Throws the errors of `readValue`.
 */
export function readPlaylistId(text: string): string {
  const expected = 'a playlist ID, such as PL and 32 characters, or a link to a playlist';
  return readValue(text, { name: 'playlistId', pattern: playlistIdPattern, expected, purpose: 'lead to a playlist' });
}

/** Returns the channel ID that a `channelId` parameter is or whose link it contains. Throws the errors of `readValue`. */
export function readChannelId(text: string): string {
  const expected = 'a channel ID, which is UC and 22 characters, or a link that contains it';
  const purpose = 'contain a channel ID. To get the ID from a handle, use /channel/id-from-handle';
  return readValue(text, { name: 'channelId', pattern: channelIdPattern, expected, purpose });
}

/** Returns the post ID that a `postId` parameter is or whose link it contains. Throws the errors of `readValue`. */
export function readPostId(text: string): string {
  const expected = 'a post ID, which begins with Ug, or a link to a post';
  return readValue(text, { name: 'postId', pattern: postIdPattern, expected, purpose: 'lead to a post' });
}

/** Returns the handle that a `handle` parameter is or whose link it contains. Throws the errors of `readValue`. */
export function readHandle(text: string): string {
  const expected = 'a handle, such as @name, or a link that contains one';
  const purpose = 'contain a handle';
  return readValue(text, { name: 'handle', pattern: /^(?:@?|user\/|c\/)[^\s@/?#]{1,100}$/, expected, purpose });
}

/**
 * Returns the hashtag that a `tag` parameter is or whose link it contains, as YouTube stores it: lower case, without
 * `#`. Accepts a tag that was percent-encoded twice. Throws the errors of `readValue`.
 */
export function readTag(text: string): string {
  const pattern = /^#?[^\s\p{Cc}\p{Cs}#/?&]{1,100}$/u;
  const expected = 'a hashtag of at most 100 characters without spaces, or a link to one';
  const tag = readValue(percentDecoded(text), { name: 'tag', pattern, expected, purpose: 'lead to a hashtag' });
  return tag.replace(/^#/, '').toLowerCase();
}

/** Returns the value that a parameter is, or the one in a YouTube link. Throws the errors of {@link readLinkParameter}. */
function readValue(parameter: string, { name, pattern, expected, purpose }: ValueParameter): string {
  const valid = (value: string | null | undefined) =>
    typeof value === 'string' && pattern.test(value) ? value : undefined;
  return readLinkParameter(parameter, {
    name,
    site: 'YouTube',
    ofText: valid,
    isOfSite: isYoutubeLink,
    // The link of a video may also contain a playlist.
    ofLink: (url) =>
      valid(youtube.ofLink(url)?.parameters[name] ?? (name === 'playlistId' ? queryParameter(url, 'list') : null)),
    expected,
    purpose,
  });
}

/** Decodes a percent-encoded text that is not a link. */
export function percentDecoded(text: string): string {
  if (!/%[\da-f]{2}/i.test(text) || /^\s*https?:/i.test(text)) return text;
  try {
    return decodeURIComponent(text);
  } catch (error) {
    // The text only looks percent-encoded, so it is used unchanged.
    if (error instanceof URIError) return text;
    throw error;
  }
}
