import { queryParameter } from '../../contract/query-parameters.ts';
import { type LinkTarget, type PlatformLinks, parseLink, pathSegments } from '../link-target.ts';

/** Pattern of a video ID: eleven characters. */
export const videoIdPattern = /^[A-Za-z0-9_-]{11}$/;

/** Pattern of a channel ID. */
export const channelIdPattern = /^UC[A-Za-z0-9_-]{22}$/;

/** Pattern of a playlist ID (`PL…`, `UU…`, `OLAK5uy_…`, `RD…`), without the `VL` of its page. */
export const playlistIdPattern = /^[A-Za-z0-9_-]{2,200}$/;

/** Pattern of a post ID. */
export const postIdPattern = /^Ug[A-Za-z0-9_-]{10,100}$/;

const SITE = 'https://www.youtube.com';

const handlePattern = /^[^\s@/?#,;!]{1,100}$/;

/** Playlist IDs that their prefix identifies: user playlists, uploads, albums, likes and mixes. */
const barePlaylistId = /^(?:PL|UU|FL|LL|RD|OLAK5uy_)[A-Za-z0-9_-]{10,100}$/;

/** Distinguishes an ID from a word: it has a digit, a hyphen, an underscore, or a capital letter that is not its first. */
const unlikeWord = /[\d_-]|.[A-Z]/;

const hosts =
  /^(?:(?:www|m|music|gaming|consent)\.)?youtube\.com$|^(?:www\.)?youtu\.be$|^(?:(?:www|m)\.)?youtube-nocookie\.com$/;

/** Returns whether a link is one of YouTube's, even if it leads to no endpoint. */
export function isYoutubeLink({ hostname }: URL): boolean {
  return hosts.test(hostname);
}

/** The link readers of YouTube. */
export const youtube: PlatformLinks = {
  id: 'p1',
  name: 'YouTube',
  idRank: 1,
  ofLink: (url) => (isYoutubeLink(url) ? (targetOf(url) ?? wrappedTarget(url)) : undefined),
  ofId(text) {
    if (text.startsWith('@')) return handleTarget('@', text.slice(1));
    if (text.startsWith('#')) return hashtag(text.slice(1));
    if (barePlaylistId.test(text)) return playlist(text);
    return channel(text) ?? post(text) ?? (unlikeWord.test(text) ? video(text) : undefined);
  },
};

/** Returns the target of a link that is not wrapped in another. */
function targetOf(url: URL): LinkTarget | undefined {
  const [first = '', second = '', third = ''] = pathSegments(url);
  const query = (name: string) => queryParameter(url, name) ?? '';
  if (url.hostname.endsWith('youtu.be')) return video(first) ?? video(query('v'));
  if (first.startsWith('@')) return handleTarget('@', decode(first.slice(1)));
  switch (first) {
    case '':
    case 'watch':
      return video(query('v')) ?? video(second) ?? playlist(query('list'));
    case 'shorts':
    case 'live':
    case 'embed':
    case 'v':
    case 'e':
      // The embedded player of a playlist has "videoseries" in place of a video.
      return second === 'videoseries' ? playlist(query('list')) : video(second);
    case 'playlist':
      return playlist(query('list'));
    case 'channel':
      return third === 'community' && query('lb') !== '' ? post(query('lb'), second) : channel(second);
    case 'c':
      return handleTarget('c/', decode(second));
    case 'user':
      return handleTarget('user/', decode(second));
    case 'post':
      return post(second);
    case 'hashtag':
      return hashtag(decode(second));
    case 'results':
      return search(query('search_query'));
    default:
      return undefined;
  }
}

/** Returns the target of a link in another link: of a shared video (`u`), or beyond the consent page (`continue`). */
function wrappedTarget(wrapper: URL): LinkTarget | undefined {
  const { pathname, hostname } = wrapper;
  const member = hostname === 'consent.youtube.com' ? 'continue' : pathname === '/attribution_link' ? 'u' : undefined;
  const link = member === undefined ? undefined : queryParameter(wrapper, member);
  const url = parseLink(link ?? '', SITE);
  return url !== null && isYoutubeLink(url) ? targetOf(url) : undefined;
}

function video(videoId: string): LinkTarget | undefined {
  return videoIdPattern.test(videoId) ? { endpoint: 'video/details', parameters: { videoId } } : undefined;
}

function playlist(playlistId: string): LinkTarget | undefined {
  return playlistIdPattern.test(playlistId) ? { endpoint: 'playlist', parameters: { playlistId } } : undefined;
}

function channel(channelId: string): LinkTarget | undefined {
  return channelIdPattern.test(channelId) ? { endpoint: 'channel/details', parameters: { channelId } } : undefined;
}

function handleTarget(prefix: '@' | 'c/' | 'user/', name: string): LinkTarget | undefined {
  if (!handlePattern.test(name)) return undefined;
  return { endpoint: 'channel/id-from-handle', parameters: { handle: prefix + name } };
}

function hashtag(tag: string): LinkTarget | undefined {
  return /^[^\s#/]{1,100}$/.test(tag) ? { endpoint: 'hashtag', parameters: { tag } } : undefined;
}

function search(query: string): LinkTarget | undefined {
  return query === '' ? undefined : { endpoint: 'search', parameters: { query } };
}

/** Returns the target of a post link. Only the older form, below the channel, contains the channel. */
function post(postId: string, owner = ''): LinkTarget | undefined {
  if (!postIdPattern.test(postId)) return undefined;
  return channelIdPattern.test(owner)
    ? { endpoint: 'post/details', parameters: { postId, channelId: owner } }
    : { endpoint: 'post/details', parameters: { postId }, missing: ['channelId'] };
}

/** Decodes a path segment. Returns it unchanged if its encoding is invalid. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
