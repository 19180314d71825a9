import type { LinkReaders } from '../../testing/link-readers.ts';
import {
  readChannelId,
  readHandle,
  readPlaylistId,
  readPostId,
  readTag,
  readVideoId,
} from '../endpoints/link-parameters.ts';

/** Every link format that the site has used. */
export const links: readonly string[] = [
  'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  'https://m.youtube.com/watch?v=dQw4w9WgXcQ&list=PLx',
  'https://music.youtube.com/watch?v=dQw4w9WgXcQ',
  'https://youtu.be/dQw4w9WgXcQ?t=3',
  'https://www.youtube.com/shorts/dQw4w9WgXcQ',
  'https://www.youtube.com/live/dQw4w9WgXcQ',
  'https://www.youtube.com/embed/dQw4w9WgXcQ',
  'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
  'https://m.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=3',
  'https://www.youtube.com/v/dQw4w9WgXcQ',
  'https://www.youtube.com/e/dQw4w9WgXcQ',
  'https://www.youtube.com/watch/dQw4w9WgXcQ',
  'https://www.youtube.com/watch?app=desktop&v=dQw4w9WgXcQ&t=3s',
  'https://www.youtube.com/?v=dQw4w9WgXcQ',
  'https://m.youtube.com/shorts/dQw4w9WgXcQ?feature=share',
  'https://youtube.com/live/dQw4w9WgXcQ?si=abc',
  'https://gaming.youtube.com/watch?v=dQw4w9WgXcQ',
  'https://www.youtube.com/attribution_link?a=abc&u=%2Fwatch%3Fv%3DdQw4w9WgXcQ%26feature%3Dshare',
  'https://consent.youtube.com/m?continue=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3DdQw4w9WgXcQ&gl=DE',
  'https://www.youtube.com/embed/videoseries?list=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf',
  'https://music.youtube.com/playlist?list=OLAK5uy_k1234567890',
  'https://music.youtube.com/channel/UCuAXFkgsw1L7xaCfnd5JJOw',
  'https://www.youtube.com/playlist?list=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf',
  'https://www.youtube.com/channel/UCuAXFkgsw1L7xaCfnd5JJOw',
  'https://www.youtube.com/@name',
  'https://www.youtube.com/c/name',
  'https://www.youtube.com/user/name',
  'https://www.youtube.com/post/UgkxOc9uYUCpteH5oo884C7QVodBYZMYsnJR',
  'https://www.youtube.com/hashtag/lab',
];

/** The readers of parameters that accept links. */
export const readers: LinkReaders = [readVideoId, readPlaylistId, readChannelId, readPostId, readHandle, readTag];
