import { describe, expect, inject, test } from 'vitest';
import { titleOfItem } from '../../lab/platforms/headlines.ts';
import { personName } from '../../lab/platforms/names.ts';
import type { Result } from '../support/envelope.ts';
import { extract } from '../support/http-client.ts';

const service = inject('serviceUrl');
const site = 'https://www.facebook.com';

const asking = async (path: string, url: string, query: Readonly<Record<string, string>> = {}) =>
  (await extract<Result>(`${service}/p3/v3${path}?${new URLSearchParams({ url, ...query })}`)).body;

const details = (url: string) => asking('/post/details', url);

interface List {
  readonly contents: readonly Readonly<Record<string, unknown>>[];
  readonly nextToken: string | null;
}

const listOf = ({ metadata }: Result, list: 'reels' | 'photos') =>
  (metadata.author as Readonly<Record<string, List>>)[list];

describe('a change of the site', () => {
  test.each([
    ['a reel', '/post/details', `${site}/reel/770000000000026`],
    ['all attachments of a post', '/post/details', `${site}/thelab/posts/880000000000012`],
    ['a list of reels', '/profile/reels', `${site}/lab.changed`],
    ['a list of photos', '/profile/photos', `${site}/lab.changed`],
    ['an About tab', '/profile/about', `${site}/lab.changed`],
  ])('that hides %s returns invalid_response_data', async (_, path, url) => {
    const { error, metadata } = await asking(path, url);
    expect(error).toMatchObject({ code: 'invalid_response_data', retryable: true });
    expect(metadata).toEqual({});
  });

  test('that hides some items of an album returns the others with a note', async () => {
    const { error, contents, notes } = await details(`${site}/thelab/posts/880000000000011`);
    expect([error, contents?.length]).toEqual([null, 2]);
    expect(notes).toContain('Omitted 2 entries of an unknown kind (XFBLabHologram).');
  });

  test.each(['reels', 'photos'] as const)('that hides some %s returns the others with a note', async (list) => {
    const body = await asking(`/profile/${list}`, `${site}/lab.unknown`);
    const { contents = [] } = listOf(body, list) ?? {};
    expect([body.error, contents.length]).toEqual([null, list === 'reels' ? 2 : 3]);
    expect(body.notes).toContain('Omitted 2 entries of an unknown kind (XFBLabHologram).');
  });

  test('of one page is noted when another page has the post', async () => {
    const { error, contents, metadata, notes } = await details(`${site}/reel/770000000000029`);
    expect([error, contents?.length, metadata.additionalData?.source]).toEqual([null, 1, 'watch']);
    expect(notes?.join()).toContain('of an unknown kind (Hologram');
  });

  test('is not confused with a page that arrives without its data', async () => {
    const { error } = await details(`${site}/reel/770000000000028`);
    expect(error).toMatchObject({ code: 'non_2xx_response', retryable: true });
  });
});

describe('a post', () => {
  test('does not have the play count of another reel in the head of its page', async () => {
    const [other, plain] = await Promise.all(['27', '01'].map((end) => details(`${site}/reel/7700000000000${end}`)));
    expect(plain?.metadata.additionalData).toHaveProperty('playCount');
    expect(other?.error).toBeNull();
    expect(other?.metadata.additionalData).not.toHaveProperty('playCount');
  });

  test('has the views and the transcript of its watch page', async () => {
    const { metadata } = await details(`${site}/reel/770000000000002`);
    expect(metadata.additionalData).toMatchObject({
      source: 'watch',
      playCount: expect.any(Number),
      viewCount: expect.any(Number),
      transcript: 'Spoken words of lab video 770000000000002.',
    });
  });

  test.each([
    `${site}/reels/770000000000001`,
    'lite.facebook.com/reels/770000000000001/',
    'https://m.beta.facebook.com/watch?v=770000000000001',
    'https://youtu.be/dQw4w9WgXcQ and then：facebook.com/reel/770000000000001。',
  ])('is found by %s', async (url) => {
    const { error, metadata } = await details(url);
    expect([error, metadata.additionalData?.videoId]).toEqual([null, '770000000000001']);
  });
});

describe('a profile', () => {
  test('whose page arrives with only its head has its name, image and counts', async () => {
    const { error, metadata, notes } = await asking('/profile/details', `${site}/lab.headonly`);
    expect(error).toBeNull();
    expect(notes?.join()).not.toContain('Omitted');
    expect(metadata).toMatchObject({
      title: personName('lab.headonly'),
      thumbnailUrl: expect.stringContaining('scontent'),
      author: {
        profileId: expect.stringMatching(/^1000\d+$/),
        handle: 'lab.headonly',
        likeCount: expect.any(Number),
        talkingAboutCount: expect.any(Number),
        description: `${personName('lab.headonly')}: bars, tones and test pictures since 2026.`,
      },
    });
  });

  test('whose reels tab is walled has its videos, which are not called reels', async () => {
    const body = await asking('/profile/reels', `${site}/lab.reelwall`);
    expect([body.error, body.metadata.additionalData?.source]).toEqual([null, 'videos']);
    const { contents, nextToken } = listOf(body, 'reels') ?? {};
    expect(nextToken).toBeNull();
    expect(contents).toHaveLength(4);
    const [, id = ''] = /\/(\d+)\/$/.exec(String(contents?.[0]?.url)) ?? [];
    expect(contents?.[0]).toMatchObject({
      type: 'video',
      title: expect.stringContaining(titleOfItem(id)),
      caption: expect.stringContaining('with Lab Person'),
      url: expect.stringMatching(/\/lab\.reelwall\/videos\/lab-video\/\d+\/$/),
      playCount: expect.any(Number),
      duration: 30,
    });
  });

  test.each(['reels', 'photos'] as const)('whose further %s the site denies returns signin_required', async (list) => {
    const first = listOf(await asking(`/profile/${list}`, `${site}/lab.unauthorized`), list);
    const nextToken = first?.nextToken ?? '';
    const { error } = await asking(`/profile/${list}`, `${site}/lab.unauthorized`, { nextToken });
    expect(error).toMatchObject({ code: 'signin_required', reason: 'Unauthorized logged out query' });
  });
});
