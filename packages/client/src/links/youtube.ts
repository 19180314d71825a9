import { decoded, siteOf } from './site.ts';

const videoId = /^[A-Za-z0-9_-]{11}$/;
const channelId = /^UC[A-Za-z0-9_-]{22}$/;
const postId = /^Ug[A-Za-z0-9_-]{10,100}$/;
const playlistId = /^[A-Za-z0-9_-]{2,200}$/;
const handle = /^[^\s@/?#]{1,100}$/;

/** Ids of playlists that are told by their beginning: made by people, uploads, albums, likes, mixes. */
const playlistAlone = /^(?:PL|UU|FL|LL|RD|OLAK5uy_)[A-Za-z0-9_-]{10,100}$/;

/** An id looks like no word: it has a digit, or a capital letter that is not its first one. */
const unlikeWord = /\d|.[A-Z]/;

const video = (id: string) =>
  videoId.test(id) ? ({ endpoint: 'video/details', parameters: { videoId: id } } as const) : undefined;

const playlist = (id: string) =>
  playlistId.test(id) ? ({ endpoint: 'playlist', parameters: { playlistId: id } } as const) : undefined;

const channel = (id: string) =>
  channelId.test(id) ? ({ endpoint: 'channel/details', parameters: { channelId: id } } as const) : undefined;

const named = (prefix: '@' | 'c/' | 'user/', name: string) =>
  handle.test(name)
    ? ({ endpoint: 'channel/id-from-handle', parameters: { handle: prefix + name } } as const)
    : undefined;

const hashtag = (tag: string) =>
  /^[^\s#/]{1,100}$/.test(tag) ? ({ endpoint: 'hashtag', parameters: { tag } } as const) : undefined;

/** The address of a post does not tell its channel, unless it is the older one, below the channel. */
function post(id: string, owner = '') {
  if (!postId.test(id)) return undefined;
  return channelId.test(owner)
    ? ({ endpoint: 'post/details', parameters: { postId: id, channelId: owner } } as const)
    : ({ endpoint: 'post/details', parameters: { postId: id }, missing: ['channelId'] } as const);
}

/** p1. */
export const youtube = siteOf(
  'p1',
  /^(?:(?:www|m|music)\.)?youtube\.com$|^(?:www\.)?youtu\.be$|^(?:www\.)?youtube-nocookie\.com$/,
  (url, [first = '', second = '', third = '']) => {
    const query = (name: string) => url.searchParams.get(name) ?? '';
    if (url.hostname.endsWith('youtu.be')) return video(first);
    if (first.startsWith('@')) return named('@', decoded(first.slice(1)));
    switch (first) {
      case 'watch':
        return video(query('v')) ?? playlist(query('list'));
      case 'shorts':
      case 'live':
      case 'embed':
      case 'v':
        return video(second);
      case 'playlist':
        return playlist(query('list'));
      case 'channel':
        return third === 'community' && query('lb') !== '' ? post(query('lb'), second) : channel(second);
      case 'c':
        return named('c/', decoded(second));
      case 'user':
        return named('user/', decoded(second));
      case 'post':
        return post(second);
      case 'hashtag':
        return hashtag(decoded(second));
      case 'results':
        return query('search_query') === ''
          ? undefined
          : { endpoint: 'search', parameters: { query: query('search_query') } };
      default:
        return undefined;
    }
  },
  (text) => {
    if (text.startsWith('@')) return named('@', text.slice(1));
    if (text.startsWith('#')) return hashtag(text.slice(1));
    if (playlistAlone.test(text)) return playlist(text);
    return channel(text) ?? post(text) ?? (unlikeWord.test(text) ? video(text) : undefined);
  },
);
