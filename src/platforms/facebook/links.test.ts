import { expect, it } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import { readLink } from './find/read-link.ts';
import { recognise } from './links.ts';
import { cleanLink } from './parse/clean-link.ts';

const site = 'https://www.facebook.com';

it.each([
  [`${site}/reel/1380134307388381`, 'video', `${site}/reel/1380134307388381`],
  ['https://m.facebook.com/reel/1380134307388381/?mibextid=x', 'video', `${site}/reel/1380134307388381`],
  [`${site}/NASA/videos/a-title/1380134307388381/`, 'video', `${site}/reel/1380134307388381`],
  [`${site}/NASA/videos/1380134307388381`, 'video', `${site}/reel/1380134307388381`],
  [`${site}/100044561550831/videos/vb.1/1380134307388381`, 'video', `${site}/reel/1380134307388381`],
  [`${site}/watch/?v=1380134307388381`, 'video', `${site}/reel/1380134307388381`],
  [`${site}/watch/live/?v=1380134307388381&ref=x`, 'video', `${site}/reel/1380134307388381`],
  [`${site}/video.php?v=1380134307388381`, 'video', `${site}/reel/1380134307388381`],
  [`${site}/video/embed?video_id=1380134307388381`, 'video', `${site}/reel/1380134307388381`],
  [
    `${site}/plugins/video.php?href=${encodeURIComponent(`${site}/x/videos/1380134307388381/`)}`,
    'video',
    `${site}/reel/1380134307388381`,
  ],
  [`${site}/reels/1380134307388381`, 'video', `${site}/reel/1380134307388381`],
  [`${site}/NASA/reel/1380134307388381`, 'video', `${site}/reel/1380134307388381`],
  ['https://lite.facebook.com/reels/1380134307388381/', 'video', `${site}/reel/1380134307388381`],
  ['https://m.beta.facebook.com/watch?v=1380134307388381', 'video', `${site}/reel/1380134307388381`],
  ['https://fb.gg/v/AbC_1/', 'share', 'https://fb.gg/v/AbC_1/'],
  ['https://fb.watch/AbC_1/', 'share', 'https://fb.watch/AbC_1/'],
  ['https://fb.me/AbC', 'share', 'https://fb.me/AbC'],
  [`${site}/share/v/AbC/?mibextid=1`, 'share', `${site}/share/v/AbC/`],
  [`${site}/share/r/AbC`, 'share', `${site}/share/r/AbC`],
  [`${site}/share/AbC`, 'share', `${site}/share/AbC`],
  [`${site}/NASA/posts/1587860636042640/`, 'post', `${site}/NASA/posts/1587860636042640`],
  [`${site}/NASA/posts/a-title/1587860636042640/`, 'post', `${site}/NASA/posts/1587860636042640`],
  [
    `${site}/NASA/posts/pfbid02nHshyUHVP3E31ZwC7J8s5cqncL8PRg?__cft__[0]=x`,
    'post',
    `${site}/NASA/posts/pfbid02nHshyUHVP3E31ZwC7J8s5cqncL8PRg`,
  ],
  [`${site}/permalink.php?story_fbid=123456&id=1000`, 'post', `${site}/permalink.php?story_fbid=123456&id=1000`],
  [
    'https://mbasic.facebook.com/story.php?story_fbid=123456&id=1000&x=1',
    'post',
    `${site}/permalink.php?story_fbid=123456&id=1000`,
  ],
  [`${site}/groups/a.b/posts/123456`, 'post', `${site}/groups/a.b/posts/123456`],
  [`${site}/groups/1443890352589739/permalink/123456/`, 'post', `${site}/groups/1443890352589739/posts/123456`],
  [`${site}/groups/a.b/?multi_permalinks=123456&ref=share`, 'post', `${site}/groups/a.b/posts/123456`],
  ['https://m.facebook.com/groups/a.b?view=permalink&id=123456', 'post', `${site}/groups/a.b/posts/123456`],
  [`${site}/p/A-Page-100044561550831/`, 'profile', `${site}/profile.php?id=100044561550831`],
  [`${site}/photo/?fbid=123456&set=a.77`, 'photo', `${site}/photo/?fbid=123456&set=a.77`],
  [`${site}/photo.php?fbid=123456`, 'photo', `${site}/photo/?fbid=123456`],
  [`${site}/NASA/photos/a.77/123456/`, 'photo', `${site}/photo/?fbid=123456&set=a.77`],
  [`${site}/NASA/photos/123456`, 'photo', `${site}/photo/?fbid=123456`],
  [`${site}/NASA`, 'profile', `${site}/NASA`],
  ['https://de-de.facebook.com/NASA/about', 'profile', `${site}/NASA`],
  [`${site}/NASA/photos`, 'profile', `${site}/NASA`],
  [`${site}/NASA/reels/`, 'profile', `${site}/NASA`],
  [`${site}/NASA/videos`, 'profile', `${site}/NASA`],
  [`${site}/pg/NASA/about`, 'profile', `${site}/NASA`],
  [`${site}/profile.php?id=100044561550831&sk=photos`, 'profile', `${site}/profile.php?id=100044561550831`],
  [`${site}/people/A-B/100044561550831/`, 'profile', `${site}/profile.php?id=100044561550831`],
  [`${site}/100044561550831`, 'profile', `${site}/profile.php?id=100044561550831`],
  [`https://l.facebook.com/l.php?u=${encodeURIComponent(`${site}/NASA`)}&h=1`, 'profile', `${site}/NASA`],
  [
    `${site}/login/?next=${encodeURIComponent(`${site}/reel/1380134307388381`)}`,
    'video',
    `${site}/reel/1380134307388381`,
  ],
])('reads %s as a %s', (link, kind, url) => {
  expect(recognise(link)).toMatchObject({ kind, url });
});

it.each([
  'https://www.facebook.com/',
  'https://www.facebook.com/reel/',
  'https://www.facebook.com/events/1526795995494848/',
  'https://www.facebook.com/groups/1443890352589739/',
  'https://www.facebook.com/groups/a.b?id=123456',
  'https://www.facebook.com/p/A-Page/',
  'https://www.facebook.com/marketplace/item/1/',
  'https://www.facebook.com/watch/',
  'https://www.facebook.com/ads/library',
  'https://www.facebook.com/login/?next=https%3A%2F%2Fwww.facebook.com%2Flogin%2F',
  'https://www.facebook.com.example.org/NASA',
  'https://notfacebook.com/NASA',
  'https://www.instagram.com/p/ABC/',
  'https://fb.watch/',
  'javascript:alert(1)//facebook.com/NASA',
])('does not recognise %s', (link) => {
  expect(recognise(link)).toBeNull();
});

it.each([
  ['look: https://www.facebook.com/reel/1380134307388381, great!', 'video'],
  ['(www.facebook.com/NASA)', 'profile'],
  ['fb.watch/abc', 'share'],
  ['https://www.facebook.com/NASA then https://youtu.be/x', 'profile'],
  ['https://youtu.be/x then https://www.facebook.com/NASA', 'profile'],
  ['https://www.facebook.com/events/1 and https://www.facebook.com/NASA', 'profile'],
  ['見て：facebook.com/reel/1380134307388381。', 'video'],
  ['(m.facebook.com/groups/a.b?view=permalink&id=123456)', 'post'],
])('finds the first link that an endpoint reads in "%s"', (text, kind) => {
  expect(readLink(text).kind).toBe(kind);
});

it.each([
  ['nothing here', 'invalid_url'],
  ['', 'invalid_url'],
  ['https://www.facebook.com/events/1', 'invalid_url'],
  ['https://www.facebook.com:8080/NASA', 'invalid_platform_url'],
  ['https://www.tiktok.com/@a/video/1', 'invalid_platform_url'],
])('rejects %j', (text, code) => {
  expect(() => readLink(text)).toThrow(expect.objectContaining({ code, parameter: 'url' }));
  expect(() => readLink(text)).toThrow(MillraceError);
});

it.each([
  ['https://web.facebook.com/NASA?__cft__[0]=a&__tn__=b&_rdc=1&id=5', 'https://www.facebook.com/NASA?id=5'],
  ['https://l.facebook.com/l.php?u=https%3A%2F%2Fa.example%2Fb&h=1', 'https://a.example/b'],
  ['https://a.example/?ref=1', 'https://a.example/?ref=1'],
  ['/reel/5', 'https://www.facebook.com/reel/5'],
  ['ftp://a.example/', undefined],
  [5, undefined],
])('cleans %s', (link, clean) => {
  expect(cleanLink(link)).toBe(clean);
});
