import type { LinkReaders } from '../../testing/link-readers.ts';

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
  'https://www.youtube.com/v/dQw4w9WgXcQ',
  'https://www.youtube.com/playlist?list=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf',
  'https://www.youtube.com/channel/UCuAXFkgsw1L7xaCfnd5JJOw',
  'https://www.youtube.com/@name',
  'https://www.youtube.com/c/name',
  'https://www.youtube.com/user/name',
  'https://www.youtube.com/post/UgkxOc9uYUCpteH5oo884C7QVodBYZMYsnJR',
  'https://www.youtube.com/hashtag/lab',
];

/** Empty because no parameter accepts a link. */
export const readers: LinkReaders = [];
