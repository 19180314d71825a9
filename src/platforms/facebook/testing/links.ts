import type { LinkReaders } from '../../testing/link-readers.ts';
import { readLink } from '../find/read-link.ts';
import { SITE } from '../links.ts';

const number = '1380134307388381';
const pfbid = 'pfbid02nHshyUHVP3E31ZwC7J8s5cqncL8PRg';

/** Every link format that the site has used. */
export const links: readonly string[] = [
  `${SITE}/reel/${number}`,
  `${SITE}/NASA/videos/${number}`,
  `${SITE}/NASA/videos/a-title/${number}/`,
  `${SITE}/100044561550831/videos/vb.1/${number}`,
  `${SITE}/watch/?v=${number}`,
  `${SITE}/watch/live/?v=${number}`,
  `${SITE}/video.php?v=${number}`,
  `${SITE}/video/embed?video_id=${number}`,
  `${SITE}/plugins/video.php?href=${encodeURIComponent(`${SITE}/x/videos/${number}/`)}`,
  'https://fb.watch/AbC_1/',
  'https://fb.me/AbC',
  ...['v/', 'r/', 'p/', ''].map((kind) => `${SITE}/share/${kind}AbC/`),
  `${SITE}/NASA/posts/${number}`,
  `${SITE}/NASA/posts/a-title/${pfbid}`,
  `${SITE}/permalink.php?story_fbid=${pfbid}&id=1000`,
  `https://mbasic.facebook.com/story.php?story_fbid=${number}&id=1000`,
  `${SITE}/groups/a.b/posts/${number}`,
  `${SITE}/groups/1443890352589739/permalink/${number}/`,
  `${SITE}/photo/?fbid=${number}&set=a.77`,
  `${SITE}/photo.php?fbid=${number}`,
  `${SITE}/NASA/photos/a.77/${number}/`,
  ...['', '/about', '/photos', '/reels', '/videos'].map((tab) => `https://de-de.facebook.com/NASA${tab}`),
  `${SITE}/profile.php?id=100044561550831`,
  `${SITE}/people/A-B/100044561550831/`,
  `${SITE}/pg/NASA/`,
  `${SITE}/reels/${number}`,
  `${SITE}/NASA/reels/${number}/`,
  `${SITE}/groups/a.b?multi_permalinks=${number}`,
  `https://m.facebook.com/groups/a.b?view=permalink&id=${number}`,
  `${SITE}/p/Some-Page-100044561550831/`,
  ...['m', 'mbasic', 'web', 'lite', 'touch', 'free', 'mobile', 'business', '0', 'm.beta'].map(
    (name) => `https://${name}.facebook.com/reel/${number}`,
  ),
  'https://fb.gg/v/AbC_1/',
  'https://www.fb.watch/AbC_1/',
  'https://m.fb.com/NASA',
  'https://m.facebook.com/NASA',
  'https://fb.com/NASA',
  `https://l.facebook.com/l.php?u=${encodeURIComponent(`${SITE}/NASA`)}`,
];

/** The readers of parameters that accept links. */
export const readers: LinkReaders = [readLink];
