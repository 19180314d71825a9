import { itemsOf, refused, unrenderable } from './test-item.ts';

const platform = 'p4';

/** The test items of p4. */
export const tiktokItems = [
  ...itemsOf({
    platform,
    path: '/post/details',
    parameter: 'url',
    items: {
      '7559142440960000001': 'a video of 12 s with four files and subtitles',
      '7559142440960000002': 'a video of 2 s, for quick renders',
      '7559142440960000003': 'three photos with music',
      '7559142440960000006': 'a file with a watermark and a file without audio',
      '7559142440960000064': 'each media connection breaks once, and the download resumes',
      '7559142440960000041': refused('not_found', 'does not exist'),
      '7559142440960000042': refused('not_found', 'deleted'),
      '7559142440960000050': refused('unavailable', 'private'),
      '7559142440960000045': refused('unavailable', 'under review'),
      '7559142440960000054': refused('unavailable', 'available in France and Belgium only'),
      '7559142440960000052': refused('age_restricted', 'for adults'),
      '7559142440960000036': refused('signin_required', 'requires sign-in'),
      '7559142440960000031': refused('non_2xx_response', 'the site checks for bots'),
      '7559142440960000032': refused('non_2xx_response', 'the site requires a captcha'),
      '7559142440960000037': refused('invalid_response_data', 'the response of the site is truncated'),
      '7559142440960000061': unrenderable('source_refused', 'media returns 403'),
      '7559142440960000062': unrenderable('source_refused', 'media is a web page'),
      '7559142440960000063': unrenderable('source_refused', 'media links have expired, and so have new ones'),
    },
  }),
  ...itemsOf({
    platform,
    path: '/user/details',
    parameter: 'url',
    link: (id) => `https://www.tiktok.com/@${id}`,
    isShared: true,
    items: {
      thelab: 'a user',
      labprivateseen: 'a private user with counts',
      labnobody: refused('not_found', 'a user that does not exist'),
    },
  }),
];
