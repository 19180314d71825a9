import { itemsOf, refused, unrenderable } from './test-item.ts';

const platform = 'p3';
const postDetails = { platform, path: '/post/details', parameter: 'url' };

/** The test items of p3. */
export const facebookItems = [
  ...itemsOf({
    ...postDetails,
    link: (id) => `https://www.facebook.com/reel/${id}`,
    items: {
      '770000000000001': 'a reel of 30 s, with 144p to 1080p, separate audio and subtitles',
      '770000000000017': 'a reel without audio',
      '770000000000018': 'a reel with one quality',
      '770000000000011': refused('unavailable', 'a live stream'),
      '770000000000013': refused('unavailable', 'behind a warning'),
      '770000000000014': refused('unavailable', 'deleted'),
      '770000000000012': refused('age_restricted', 'for adults'),
      '770000000000015': refused('signin_required', 'requires sign-in'),
      '770000000000016': refused('not_found', 'the page contains only other videos'),
      '770000000000021': refused('non_2xx_response', 'the site requires a security check'),
      '770000000000023': refused('non_2xx_response', 'the site limits the rate of requests (429)'),
      '770000000000026': refused('invalid_response_data', 'the response of the site has an unknown format'),
      '770000000000022': unrenderable('source_refused', 'media returns 403'),
      '770000000000019': unrenderable('source_refused', 'media links have expired, and so have new ones'),
    },
  }),
  ...itemsOf({
    ...postDetails,
    link: (id) => `https://www.facebook.com/thelab/posts/${id}`,
    items: {
      '880000000000001': 'a photo with comments',
      '880000000000002': 'an album of four photos and a video',
      '880000000000003': 'a post with a video',
      '880000000000005': 'a text without media',
      '880000000000008': refused('signin_required', 'requires sign-in'),
    },
  }),
  ...itemsOf({
    ...postDetails,
    link: (id) => `https://www.facebook.com/photo/?fbid=${id}`,
    items: {
      '660000000000001': 'a photo in several sizes',
      '660000000000002': refused('unavailable', 'a deleted photo'),
    },
  }),
  ...itemsOf({
    platform,
    path: '/profile/details',
    parameter: 'url',
    link: (id) => `https://www.facebook.com/${id}`,
    isShared: true,
    items: {
      thelab: 'a page with reels and photos',
      'lab.empty': 'a page without reels and photos',
      'lab.gone': refused('not_found', 'a deleted page'),
      'lab.walled': refused('signin_required', 'a page that requires sign-in'),
    },
  }),
];
