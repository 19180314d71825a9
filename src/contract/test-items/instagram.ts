import { itemsOf, refused, unrenderable } from './test-item.ts';

const platform = 'p2';

/** The test items of p2. */
export const instagramItems = [
  ...itemsOf({
    platform,
    path: '/media/post/details',
    parameter: 'shortcode',
    items: {
      'lab-reel-30': 'a reel of 30 s with separate audio',
      'lab-reel-12': 'a reel of 12 s in one file',
      'lab-video-1': 'a video of the feed',
      'lab-photo-1': 'a photo',
      'lab-caromix': 'a carousel of photos and videos',
      'lab-caroten': 'a carousel of ten items',
      'lab-song-01': 'a reel with a song',
      'lab-silent1': 'a reel without audio',
      'lab-company': 'a location, tagged people, a second author and a paid partnership',
      'lab-comment': 'comments',
      'lab-gone404': refused('not_found', 'does not exist'),
      'lab-embgone': refused('not_found', 'removed'),
      'lab-privown': refused('unavailable', 'of a private account'),
      'lab-loginpg': refused('unavailable', 'visible only to some people'),
      'lab-agegate': refused('age_restricted', 'for adults'),
      'lab-gatedin': refused('signin_required', 'requires sign-in'),
      'lab-wait401': refused('non_2xx_response', 'the site limits the rate of requests'),
      'lab-challen': refused('non_2xx_response', 'the site requires a security check'),
      'lab-http503': refused('non_2xx_response', 'the site is down (503)'),
      'lab-badjson': refused('invalid_response_data', 'the response of the site is damaged'),
      'lab-newpost': refused('invalid_response_data', 'the response of the site has an unknown format'),
      'lab-med-403': unrenderable('source_refused', 'media returns 403'),
      'lab-expired': unrenderable('source_refused', 'media links have expired, and so have new ones'),
    },
  }),
  ...itemsOf({
    platform,
    path: '/user/profile/details',
    parameter: 'username',
    isShared: true,
    items: {
      thelab: 'a profile',
      'lab.private': 'a private profile',
      'lab.gone': refused('not_found', 'a profile that does not exist'),
      'lab.walled': refused('signin_required', 'a profile that requires sign-in'),
    },
  }),
];
