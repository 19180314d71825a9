import type { LinkForms } from '../link-forms.ts';

/** Every link format that the site has used, with what the links name. */
export const forms: readonly LinkForms[] = [
  {
    names: ['item/dQw4w9WgXcQ'],
    links: [
      'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
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
    ],
  },
  // With a video and a playlist, the endpoint decides which of the two is meant.
  { names: ['item/dQw4w9WgXcQ', 'item/PLx'], links: ['https://m.youtube.com/watch?v=dQw4w9WgXcQ&list=PLx'] },
  {
    names: ['item/PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf'],
    links: [
      'https://www.youtube.com/embed/videoseries?list=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf',
      'https://www.youtube.com/playlist?list=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf',
    ],
  },
  { names: ['item/OLAK5uy_k1234567890'], links: ['https://music.youtube.com/playlist?list=OLAK5uy_k1234567890'] },
  {
    names: ['item/UULFuAXFkgsw1L7xaCfnd5JJOw', 'channel/UCuAXFkgsw1L7xaCfnd5JJOw'],
    links: ['https://www.youtube.com/playlist?list=UULFuAXFkgsw1L7xaCfnd5JJOw'],
  },
  {
    names: ['channel/UCuAXFkgsw1L7xaCfnd5JJOw'],
    links: [
      'https://www.youtube.com/channel/UCuAXFkgsw1L7xaCfnd5JJOw',
      'https://music.youtube.com/channel/UCuAXFkgsw1L7xaCfnd5JJOw',
    ],
  },
  { names: ['channel/@name'], links: ['https://www.youtube.com/@name', 'https://www.youtube.com/@Name/videos'] },
  {
    names: ['item/UgkxOc9uYUCpteH5oo884C7QVodBYZMYsnJR'],
    links: ['https://www.youtube.com/post/UgkxOc9uYUCpteH5oo884C7QVodBYZMYsnJR'],
  },
  {
    names: ['item/UgkxOc9uYUCpteH5oo884C7QVodBYZMYsnJR', 'channel/UCuAXFkgsw1L7xaCfnd5JJOw'],
    links: [
      'https://www.youtube.com/channel/UCuAXFkgsw1L7xaCfnd5JJOw/community?lb=UgkxOc9uYUCpteH5oo884C7QVodBYZMYsnJR',
    ],
  },
  {
    names: [],
    links: [
      'https://www.youtube.com/c/name',
      'https://www.youtube.com/user/name',
      'https://www.youtube.com/hashtag/lab',
    ],
  },
];
