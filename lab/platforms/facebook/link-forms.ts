import type { LinkForms } from '../link-forms.ts';

const SITE = 'https://www.facebook.com';
const number = '1380134307388381';
const pfbid = 'pfbid02nHshyUHVP3E31ZwC7J8s5cqncL8PRg';

/** Every link format that the site has used, with what the links name. */
export const forms: readonly LinkForms[] = [
  {
    names: [`item/${number}`],
    links: [
      `${SITE}/reel/${number}`,
      `${SITE}/watch/?v=${number}`,
      `${SITE}/watch/live/?v=${number}`,
      `${SITE}/video.php?v=${number}`,
      `${SITE}/video/embed?video_id=${number}`,
      `${SITE}/photo/?fbid=${number}&set=a.77`,
      `${SITE}/photo.php?fbid=${number}`,
      `${SITE}/reels/${number}`,
      ...['m', 'mbasic', 'web', 'lite', 'touch', 'free', 'mobile', 'business', '0', 'm.beta'].map(
        (name) => `https://${name}.facebook.com/reel/${number}`,
      ),
    ],
  },
  {
    names: [`item/${number}`, 'channel/@nasa'],
    links: [
      `${SITE}/NASA/videos/${number}`,
      `${SITE}/NASA/videos/a-title/${number}/`,
      `${SITE}/NASA/posts/${number}`,
      `${SITE}/NASA/photos/a.77/${number}/`,
      `${SITE}/NASA/reels/${number}/`,
    ],
  },
  { names: [`item/${number}`, 'channel/100044561550831'], links: [`${SITE}/100044561550831/videos/vb.1/${number}`] },
  {
    names: [`item/${number}`, 'channel/@x'],
    links: [`${SITE}/plugins/video.php?href=${encodeURIComponent(`${SITE}/x/videos/${number}/`)}`],
  },
  {
    names: [`item/${number}`, 'channel/1000'],
    links: [`https://mbasic.facebook.com/story.php?story_fbid=${number}&id=1000`],
  },
  {
    names: [`item/${number}`, 'channel/@ab'],
    links: [
      `${SITE}/groups/a.b/posts/${number}`,
      `${SITE}/groups/a.b?multi_permalinks=${number}`,
      `https://m.facebook.com/groups/a.b?view=permalink&id=${number}`,
    ],
  },
  {
    names: [`item/${number}`, 'channel/1443890352589739'],
    links: [`${SITE}/groups/1443890352589739/permalink/${number}/`],
  },
  { names: [`item/${pfbid}`, 'channel/@nasa'], links: [`${SITE}/NASA/posts/a-title/${pfbid}`] },
  { names: [`item/${pfbid}`, 'channel/1000'], links: [`${SITE}/permalink.php?story_fbid=${pfbid}&id=1000`] },
  {
    names: ['channel/@nasa'],
    links: [
      ...['', '/about', '/photos', '/reels', '/videos'].map((tab) => `https://de-de.facebook.com/NASA${tab}`),
      `${SITE}/pg/NASA/`,
      'https://m.fb.com/NASA',
      'https://m.facebook.com/NASA',
      'https://fb.com/NASA',
      'https://fb.com/n.a.s.a',
      `https://l.facebook.com/l.php?u=${encodeURIComponent(`${SITE}/NASA`)}`,
    ],
  },
  {
    names: ['channel/100044561550831'],
    links: [
      `${SITE}/profile.php?id=100044561550831`,
      `${SITE}/people/A-B/100044561550831/`,
      `${SITE}/p/Some-Page-100044561550831/`,
    ],
  },
  {
    names: [],
    links: [
      'https://fb.watch/AbC_1/',
      'https://www.fb.watch/AbC_1/',
      'https://fb.gg/v/AbC_1/',
      'https://fb.me/AbC',
      ...['v/', 'r/', 'p/', ''].map((kind) => `${SITE}/share/${kind}AbC/`),
    ],
  },
];
