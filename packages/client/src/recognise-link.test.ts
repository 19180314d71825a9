import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { disguised } from '../../../lab/platforms/link-decorations.ts';
import { links } from '../../../lab/platforms/sample-links.ts';
import * as platforms from '../../../src/platforms/links.ts';
import { damaged } from '../../../src/platforms/testing/damaged-text.ts';
import { startCpuClock } from '../../../src/testing/cpu-clock.ts';
import { propertyRuns } from '../../../src/testing/property-runs.ts';
import { linksInText, recogniseAll, recogniseLink } from './recognise-link.ts';

const everyLink = Object.values(links).flat();

describe.each(Object.entries(links))('a link of %s', (platform, ofPlatform) => {
  it.each(ofPlatform)('%s is recognised, alone and in a sentence', (link) => {
    const recognised = recogniseLink(link);
    expect(recognised?.platform).toBe(platform);
    for (const text of [
      `  ${link}\n`,
      `Look at this: ${link}, it is great!`,
      `(${link})`,
      `<${link}>`,
      `看看这个：${link}。好`,
      `https://elsewhere.example/a ${link}`,
      link.replace(/^https?/, (scheme) => scheme.toUpperCase()),
      link.replace(/^https?:\/\//, ''),
    ]) {
      const match = recogniseLink(text);
      expect([text, match?.platform, match?.endpoint]).toEqual([text, platform, recognised?.endpoint]);
    }
  });

  it.each(ofPlatform)('%s is not recognised in lookalike links', (link) => {
    for (const one of disguised(link)) expect(recogniseAll(one)).toEqual([]);
    expect(recogniseAll(link.replace('://', '://user:secret@'))).toEqual([]);
    expect(recogniseAll(link.replace(/^https?/, 'ftp'))).toEqual([]);
  });
});

it.each([
  'https://evil-youtube.com/watch?v=dQw4w9WgXcQ',
  'https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ',
  'https://youtube.com:8443/watch?v=dQw4w9WgXcQ',
  'javascript:https://youtu.be/',
  'https://www.youtube.com/watch?v=short',
  'https://www.instagram.com/explore/',
  'https://www.facebook.com/marketplace/item/1',
  'https://www.tiktok.com/@name/video/1',
  'https://l.facebook.com/l.php?u=https%3A%2F%2Fl.facebook.com%2Fl.php%3Fu%3Dhttps%253A%252F%252Ffacebook.com%252FNASA',
  'https://',
  'programming',
  'a well known word',
  'hello.world',
  '',
])('%s is not recognised', (text) => {
  expect(recogniseAll(text)).toEqual([]);
});

it.each([
  ['https://youtu.be/dQw4w9WgXcQ?t=3', 'p1', 'video/details', { videoId: 'dQw4w9WgXcQ' }],
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PLx', 'p1', 'video/details', { videoId: 'dQw4w9WgXcQ' }],
  ['https://www.youtube.com/watch?list=PLabcdefghijkl', 'p1', 'playlist', { playlistId: 'PLabcdefghijkl' }],
  ['https://www.youtube.com/@na%C3%AFve/videos', 'p1', 'channel/id-from-handle', { handle: '@naïve' }],
  ['https://www.youtube.com/c/name', 'p1', 'channel/id-from-handle', { handle: 'c/name' }],
  ['https://www.youtube.com/hashtag/m%C3%BCsik', 'p1', 'hashtag', { tag: 'müsik' }],
  ['https://www.youtube.com/results?search_query=a+b', 'p1', 'search', { query: 'a b' }],
  [
    'https://www.instagram.com/reels/audio/26106058285758518/',
    'p2',
    'media/audio/details',
    { audioId: '26106058285758518' },
  ],
  ['https://www.instagram.com/name/reel/DdG4RIxIPyf/?igsh=1', 'p2', 'media/post/details', { shortcode: 'DdG4RIxIPyf' }],
  ['instagram.com/natgeo', 'p2', 'user/profile/details', { username: 'natgeo' }],
  [
    'https://www.instagram.com/share/BACx1',
    'p2',
    'media/post/details',
    { shortcode: 'https://www.instagram.com/share/BACx1' },
  ],
  ['https://www.facebook.com/NASA/reels', 'p3', 'profile/reels', { url: 'https://www.facebook.com/NASA/reels' }],
  ['https://www.facebook.com/NASA', 'p3', 'profile/details', { url: 'https://www.facebook.com/NASA' }],
  ['https://fb.watch/AbC_1/', 'p3', 'post/details', { url: 'https://fb.watch/AbC_1/' }],
  ['https://vm.tiktok.com/ZMabc12/', 'p4', 'post/details', { url: 'https://vm.tiktok.com/ZMabc12/' }],
  ['https://www.tiktok.com/@name', 'p4', 'user/details', { url: 'https://www.tiktok.com/@name' }],
  ['https://dai.ly/x96ndxe', 'p5', 'video/details', { videoId: 'x96ndxe' }],
  ['https://www.pinterest.co.uk/pin/a-title--31454897393552949/', 'p6', 'pin/details', { pinId: '31454897393552949' }],
  ['https://pin.it/4AbCdEf', 'p6', 'pin/details', { pinId: 'https://pin.it/4AbCdEf' }],
])('%s is recognised as %s %s', (text, platform, endpoint, parameters) => {
  expect(recogniseAll(text)).toEqual([{ platform, endpoint, parameters }]);
});

it('a p1 post link reports its missing channel unless the link contains it', () => {
  const postId = 'UgkxOc9uYUCpteH5oo884C7QVodBYZMYsnJR';
  const channelId = 'UCuAXFkgsw1L7xaCfnd5JJOw';
  expect(recogniseLink(`https://www.youtube.com/post/${postId}`)).toMatchObject({ missing: ['channelId'] });
  const older = recogniseLink(`https://www.youtube.com/channel/${channelId}/community?lb=${postId}`);
  expect(older).toEqual({ platform: 'p1', endpoint: 'post/details', parameters: { postId, channelId } });
});

it.each([
  ['dQw4w9WgXcQ', ['p1 video/details', 'p2 media/post/details']],
  ['lab-plain30', ['p1 video/details', 'p2 media/post/details']],
  ['lab-removed', ['p1 video/details']],
  ['UCuAXFkgsw1L7xaCfnd5JJOw', ['p1 channel/details']],
  ['PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf', ['p1 playlist']],
  ['UgkxOc9uYUCpteH5oo884C7QVodBYZMYsnJR', ['p1 post/details']],
  ['@name', ['p1 channel/id-from-handle', 'p4 user/details', 'p2 user/profile/details']],
  ['#lab', ['p1 hashtag']],
  ['x96ndxe', ['p5 video/details']],
  ['k1qHMhAd8SkWeABAfEC', ['p5 video/details']],
  ['7608826249200356630', ['p4 post/details', 'p6 pin/details']],
  ['31454897393552949', ['p6 pin/details', 'p3 post/details']],
  ['1380134307388381', ['p6 pin/details', 'p3 post/details']],
])('the bare ID %s may be %j', (text, meanings) => {
  expect(recogniseAll(` ${text} `).map(({ platform, endpoint }) => `${platform} ${endpoint}`)).toEqual(meanings);
});

it('agrees with the service about damaged links', () => {
  const oneDamaged = fc.constantFrom(...everyLink).chain((link) => damaged(link));
  fc.assert(
    fc.property(oneDamaged, (text) => {
      // Only the client accepts text around a link and hosts in other spellings.
      if (!/^https?:\/\/[\w./?&=%#+~-]+\w\/?$/.test(text) || URL.parse(text)?.href !== text) return;
      const url = new URL(text);
      const byService = Object.values(platforms).find(({ ofLink }) => ofLink(url) !== undefined)?.id;
      expect([text, recogniseLink(text)?.platform]).toEqual([text, byService]);
    }),
    { seed: 8, numRuns: propertyRuns(3_000) },
  );
});

it('accepts any text and returns only parameters that can be sent', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom(...everyLink).chain((link) => damaged(link)),
  );
  fc.assert(
    fc.property(texts, (text) => {
      for (const { parameters } of recogniseAll(text)) {
        for (const value of Object.values(parameters)) {
          expect(value).not.toBe('');
          expect(value.length).toBeLessThanOrEqual(2_100);
        }
      }
    }),
    { seed: 8, numRuns: propertyRuns(2_000) },
  );
});

it.each(['a.', 'https://', '(', 'a@', '.com/', '@', 'youtube.com/watch?v=', '１'])(
  'takes less than half a second for a hundred thousand repetitions of %j',
  (piece) => {
    const elapsed = startCpuClock();
    recogniseAll(piece.repeat(100_000));
    expect(elapsed()).toBeLessThan(500);
  },
);

it('lists the links in a text with their targets', () => {
  const links = linksInText('Look: https://youtu.be/dQw4w9WgXcQ, https://example.com/x and words');
  expect(links.map(({ target }) => target?.endpoint)).toEqual(['video/details', undefined]);
  expect(links[1]?.text).toBe('https://example.com/x');
});
