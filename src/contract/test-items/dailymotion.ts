import { itemsOf, refused, unrenderable } from './test-item.ts';

/** The test items of p5. The real site has or had most IDs with fewer than seven characters. */
export const dailymotionItems = itemsOf({
  platform: 'p5',
  path: '/video/details',
  parameter: 'videoId',
  items: {
    xlabnew: 'HLS only',
    xlabmp4: 'HLS and MP4 files',
    xlab600: '10 minutes',
    xlab60fps: '720p with 60 frames per second',
    xlabsubs: 'subtitles',
    xlablive: 'a live stream, which cannot be rendered',
    xlabslow: 'segments arrive slowly',
    xlabdm001: refused('not_found', 'does not exist'),
    xlabprivate: refused('unavailable', 'private'),
    xlabpassword: refused('unavailable', 'requires a password'),
    xlabgeofr: refused('unavailable', 'available in France and Belgium only'),
    xlabdrm: refused('unavailable', 'protected by DRM'),
    xlabdm008: refused('age_restricted', 'for adults'),
    xlabmeta429: refused('non_2xx_response', 'the site limits the rate of requests (429)'),
    xlabmeta503: refused('non_2xx_response', 'the site is down (503)'),
    xlabman403: refused('non_2xx_response', 'the site refuses the playlist'),
    xlabmetacut: refused('invalid_response_data', 'the response of the site is truncated'),
    xlabnokinds: refused('invalid_response_data', 'streams of unknown kinds only'),
    xlabdead: unrenderable('source_refused', 'the third segment returns 403'),
  },
});
