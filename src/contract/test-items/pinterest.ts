import { itemsOf, refused } from './test-item.ts';

/** The test items of p6. */
export const pinterestItems = itemsOf({
  platform: 'p6',
  path: '/pin/details',
  parameter: 'pinId',
  items: {
    '600000000000000101': 'an image',
    '600000000000000103': 'a video of 8 s',
    '600000000000000105': 'a story of images and a video',
    '600000000000000106': 'a carousel of three images',
    '600000000000000107': 'an animated image',
    '600000000000000110': 'a video with subtitles in English and French',
    '600000000000000206': 'the site returns only a preview',
    '600000000000000301': refused('not_found', 'does not exist'),
    '600000000000000307': refused('not_found', 'deleted'),
    '600000000000000305': refused('unavailable', 'hidden'),
    '600000000000000309': refused('signin_required', 'requires sign-in'),
    '600000000000000401': refused('non_2xx_response', 'the site limits the rate of requests (429)'),
    '600000000000000402': refused('non_2xx_response', 'the site is down (503)'),
    '600000000000000403': refused('non_2xx_response', 'the site checks for bots'),
    '600000000000000405': refused('invalid_response_data', 'the site returns empty responses'),
    '600000000000000407': refused('invalid_response_data', 'the response of the site is too large'),
    '600000000000000408': refused('operation_timeout', 'the site never responds'),
    '600000000000000409': refused('unexpected_redirect', 'the site redirects without end'),
    '600000000000000410': refused('unexpected_redirect', 'the site redirects to another site'),
    '600000000000000412': refused('connection_error', 'the site closes the connection'),
  },
});
