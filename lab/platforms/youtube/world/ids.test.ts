import fc from 'fast-check';
import { expect, test } from 'vitest';
import { channelIds, commentIds, pair, playlistIds, postIds, replyIds, unpair, videoIds } from './ids.ts';

const kinds = {
  videoIds: [videoIds, /^[\w-]{11}$/],
  channelIds: [channelIds, /^UC[\w-]{22}$/],
  playlistIds: [playlistIds, /^PL[\w-]{32}$/],
  postIds: [postIds, /^Ugkx[\w-]{32}$/],
  commentIds: [commentIds, /^Ugx[\w-]{16}4AaABAg$/],
  replyIds: [replyIds, /^9L[\w-]{20}$/],
} as const;
const number = fc.integer({ min: 0, max: 2 ** 47 });

test.each(Object.entries(kinds))("%s have the form of the site's IDs and can be read back", (_, [kind, form]) => {
  fc.assert(
    fc.property(number, (value) => {
      const id = kind.write(value);
      expect(id).toMatch(form);
      expect(kind.parse(id)).toBe(value);
    }),
    { seed: 1 },
  );
});

test('any other text is not an ID', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      for (const [kind] of Object.values(kinds)) expect(kind.parse(text)).toBeUndefined();
    }),
    { seed: 1 },
  );
  expect(videoIds.parse('dQw4w9WgXcQ')).toBeUndefined();
  expect(channelIds.parse('UCAAAAAAAAAAAAAAAAAAAAAA')).toBeUndefined();
});

test('pair combines two numbers that unpair separates', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 27), fc.nat(2 ** 20 - 1), (major, minor) => {
      expect(unpair(pair(major, minor))).toEqual([major, minor]);
    }),
    { seed: 1 },
  );
});
