import type { LinkForms } from '../link-forms.ts';

/** Every link format that the site has used, with what the links name. */
export const forms: readonly LinkForms[] = [
  {
    names: ['item/x96ndxe'],
    links: [
      'https://www.dailymotion.com/video/x96ndxe',
      'https://dailymotion.com/video/x96ndxe_a-title',
      'https://touch.dailymotion.com/video/x96ndxe',
      'https://www.dailymotion.com/video/x96ndxe?playlist=x6hynq&start=20',
      'https://www.dailymotion.com/embed/video/x96ndxe',
      'https://www.dailymotion.com/crawler/video/x96ndxe',
      'https://www.dailymotion.com/swf/x96ndxe',
      'https://www.dailymotion.com/swf/video/x96ndxe',
      'https://geo.dailymotion.com/player.html?video=x96ndxe',
      'https://geo.dailymotion.com/player/xabc1.html?video=x96ndxe',
      'https://www.dailymotion.com/playlist/xv4bw_a-list/1#video=x96ndxe',
      'https://touch.dailymotion.com/#/video/x96ndxe',
      'https://dai.ly/x96ndxe',
      'https://www.dai.ly/x96ndxe',
    ],
  },
  { names: ['item/k1qHMhAd8SkWeABAfEC'], links: ['https://www.dailymotion.fr/video/k1qHMhAd8SkWeABAfEC'] },
];
