import { describe, expect, inject, test } from 'vitest';
import type { Result } from '../support/envelope.ts';
import { extract } from '../support/http-client.ts';

const service = inject('serviceUrl');
const site = 'https://www.facebook.com';

const asking = (path: string, url: string, query: Readonly<Record<string, string>> = {}) =>
  extract<Result>(`${service}/p3/v3/profile${path}?${new URLSearchParams({ url, ...query })}`);

interface Entry {
  readonly type: string;
  readonly id: string;
  readonly [member: string]: unknown;
}

interface Author {
  readonly about?: Readonly<Record<string, unknown>>;
  readonly reels?: { readonly contents: readonly Entry[]; readonly nextToken: string | null };
  readonly photos?: { readonly contents: readonly Entry[]; readonly nextToken: string | null };
}

const authorOf = ({ metadata }: Result) => metadata.author as Author;

describe('/profile/details', () => {
  test('returns the details of a page', async () => {
    const { body } = await asking('/details', `${site}/thelab`);
    expect(body.error).toBeNull();
    expect(body).not.toHaveProperty('contents');
    expect(body.metadata).toMatchObject({
      title: 'The Lab',
      thumbnailUrl: expect.stringContaining('scontent'),
      author: {
        profileId: '100077000000010',
        pageId: '547000000010',
        id: '100077000000010',
        name: 'The Lab',
        handle: 'thelab',
        url: `${site}/thelab`,
        verified: true,
        description: 'The Lab: bars, tones and test pictures since 2026.',
        category: 'Science website',
        email: 'thelab@lab.example',
        phone: '+1 555-0100',
        address: '1 Test Street, Labtown',
        websites: ['https://www.lab.example/'],
        followerCount: expect.any(Number),
        followerCountText: expect.stringMatching(/followers$/),
        followingCount: 52,
        likeCount: expect.any(Number),
        talkingAboutCount: expect.any(Number),
        coverPhoto: { width: 1920, height: 1080 },
        memorialized: false,
        tabs: [
          { name: 'About', key: 'about', url: `${site}/thelab/about` },
          { name: 'Photos', key: 'photos', url: `${site}/thelab/photos` },
        ],
      },
      additionalData: { source: 'profile' },
    });
    expect(body.notes).toContain('This request cost 1 credit.');
  });

  test.each([
    ['lab.classic', { profileId: expect.stringMatching(/^1000/), name: 'The Classic Lab' }, 'profile'],
    ['lab.person', { name: 'Lab Person', gender: 'FEMALE', handle: 'lab.person' }, 'profile'],
    ['lab.locked', { locked: true }, 'profile'],
    ['lab.memorial', { memorialized: true }, 'profile'],
    ['lab.webonly', { handle: 'lab.webonly' }, 'profile, web host'],
  ])('returns the specific details of %s', async (name, author, source) => {
    const { body } = await asking('/details', `${site}/${name}`);
    expect(body.metadata).toMatchObject({ author, additionalData: { source } });
    expect(JSON.stringify(body)).not.toContain('web.facebook.com');
  });

  test('of a classic page has no page ID', async () => {
    expect(authorOf((await asking('/details', `${site}/lab.classic`)).body)).not.toHaveProperty('pageId');
  });

  test.each([
    [`${site}/profile.php?id=100077000000010`],
    [`${site}/people/The-Lab/100077000000010/`],
    [`${site}/100077000000010`],
    [`${site}/pg/thelab/about/`],
    [`${site}/thelab/about`],
    [`${site}/thelab/reels/`],
    [`${site}/share/labPage1`],
    ['see facebook.com/thelab, it is good'],
    ['https://m.facebook.com/thelab?mibextid=x'],
  ])('finds the page by %s', async (url) => {
    const { body } = await asking('/details', url);
    expect([body.error, authorOf(body)]).toEqual([null, expect.objectContaining({ profileId: '100077000000010' })]);
  });
});

describe('/profile/id', () => {
  test('returns the IDs of a profile and of its page', async () => {
    const { body } = await asking('/id', `${site}/thelab`);
    expect(body.metadata).toEqual({
      author: { profileId: '100077000000010', pageId: '547000000010', handle: 'thelab', url: `${site}/thelab` },
      additionalData: { source: 'profile' },
    });
  });

  test('reads the ID from a link that contains one', async () => {
    const { body } = await asking('/id', `${site}/people/Any-Name/100012345678901/`);
    expect(body.metadata.additionalData).toEqual({ source: 'link' });
    expect(authorOf(body)).toMatchObject({ profileId: '100012345678901' });
  });
});

describe('/profile/about', () => {
  test('returns all pages of the tab, each section once', async () => {
    const { body } = await asking('/about', `${site}/thelab`);
    expect(authorOf(body).about).toMatchObject({
      categories: ['Science website'],
      emails: ['thelab@lab.example'],
      phones: ['+1 555-0100'],
      addresses: ['1 Test Street, Labtown'],
      websites: ['https://www.lab.example/'],
      sections: [
        { type: 'category', title: 'Categories' },
        { type: 'about_contact_info', fields: [{ type: 'profile_email', label: 'Email address' }, {}, {}] },
        { type: 'websites_and_social_links' },
        { type: 'impressum' },
        { type: 'page_transparency' },
      ],
    });
    expect(body.notes).toContain('This request cost 1 credit.');
  });

  test('reports which pages are hidden from guests', async () => {
    const { body } = await asking('/about', `${site}/lab.parts`);
    expect(authorOf(body).about?.sections).toHaveLength(4);
    expect(body.notes).toContain('Facebook did not return these parts: Privacy and legal info.');
  });

  test('finds its pages at the other host', async () => {
    const { body } = await asking('/about', `${site}/lab.webonly`);
    expect(authorOf(body).about?.sections).toHaveLength(5);
  });
});

/** Returns every page of a list, in order. */
async function pagesOf(list: 'photos' | 'reels', url: string) {
  const pages: { entries: readonly Entry[]; source: unknown }[] = [];
  let nextToken: string | null = null;
  do {
    const { body } = await asking(`/${list}`, url, nextToken === null ? {} : { nextToken });
    if (body.error !== null) throw new Error(`Page ${pages.length + 1}: ${body.error.code} ${body.error.message}`);
    const page = authorOf(body)[list];
    pages.push({ entries: page?.contents ?? [], source: body.metadata.additionalData?.source });
    nextToken = page?.nextToken ?? null;
  } while (nextToken !== null && pages.length < 20);
  return pages;
}

describe.each([
  ['reels', [10, 10, 7], 'reels_tab'],
  ['photos', [8, 10, 3], 'photos'],
] as const)('/profile/%s', (list, sizes, tab) => {
  test.each([`${site}/thelab`, `${site}/profile.php?id=100077000000010`])('returns all pages of %s', async (url) => {
    const pages = await pagesOf(list, url);
    expect(pages.map(({ entries }) => entries.length)).toEqual(sizes);
    expect(pages.map(({ source }) => source)).toEqual([tab, 'graphql', 'graphql']);
    const ids = pages.flatMap(({ entries }) => entries.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(pages.flatMap(({ entries }) => entries.map(({ type }) => type)))).toEqual(
      new Set([list.slice(0, -1)]),
    );
  });

  test('finds a changed query ID in the scripts of the page', async () => {
    const pages = await pagesOf(list, `${site}/lab.renumbered`);
    expect(pages.flatMap(({ entries }) => entries)).toHaveLength(14);
  });

  test('of an empty profile is empty', async () => {
    expect(await pagesOf(list, `${site}/lab.empty`)).toEqual([{ entries: [], source: tab }]);
  });

  test.each([
    ['lab.denied', 'signin_required', false],
    ['lab.limited', 'non_2xx_response', true],
  ])('of %s ends with the error %s', async (name, code, retryable) => {
    const first = authorOf((await asking(`/${list}`, `${site}/${name}`)).body)[list];
    const { status, body } = await asking(`/${list}`, `${site}/${name}`, { nextToken: first?.nextToken ?? '' });
    expect([status, body.error?.code, body.error?.retryable]).toEqual([200, code, retryable]);
  });

  /** Changes the first character, because some bits of the last one carry no data (base64). */
  const withOtherStart = (token: string) => (token.startsWith('A') ? 'B' : 'A') + token.slice(1);

  test('refuses a token of another list or profile, and a made-up token', async () => {
    const token = authorOf((await asking(`/${list}`, `${site}/thelab`)).body)[list]?.nextToken ?? '';
    const other = list === 'reels' ? 'photos' : 'reels';
    for (const [path, name, nextToken] of [
      [other, 'thelab', token],
      [list, 'lab.denied', token],
      [list, 'thelab', withOtherStart(token)],
      [list, 'thelab', 'made-up'],
    ] as const) {
      const { status, body } = await asking(`/${path}`, `${site}/${name}`, { nextToken });
      expect([status, body.error?.code]).toEqual([400, 'invalid_token']);
    }
  });
});

test('a reel of a list has its files, length, counts and author', async () => {
  const [page] = await pagesOf('reels', `${site}/thelab`);
  expect(page?.entries[0]).toMatchObject({
    type: 'reel',
    url: expect.stringMatching(/^https:\/\/www\.facebook\.com\/reel\/\d+$/),
    title: expect.stringContaining('with Lab Person'),
    duration: 30,
    width: 1920,
    height: 1080,
    publishedAt: '2026-09-21T14:13:20.000Z',
    author: { handle: 'thelab' },
    music: 'A tone of 220 Hz',
    nativeHdUrl: expect.stringContaining('fbcdn.net'),
    nativeSdUrl: expect.stringContaining('fbcdn.net'),
    thumbnails: [{ width: 1280, height: 720 }, {}],
    playCount: expect.any(Number),
  });
  const [, second] = await pagesOf('reels', `${site}/thelab`);
  expect(second?.entries[0]).toMatchObject({ commentCount: expect.any(Number), reactionCount: expect.any(Number) });
});

test('a photo of a list has its sizes, largest first', async () => {
  const [page] = await pagesOf('photos', `${site}/thelab`);
  expect(page?.entries[0]).toMatchObject({
    type: 'photo',
    url: expect.stringContaining(`${site}/photo.php?fbid=`),
    title: expect.stringContaining('bars and a tone'),
    thumbnails: [
      { width: expect.any(Number), height: expect.any(Number) },
      { width: 640, height: 360 },
    ],
  });
});

test('the videos tab is used when guests cannot see the reels tab', async () => {
  const [page, ...more] = await pagesOf('reels', `${site}/lab.videos`);
  expect(more).toEqual([]);
  expect(page?.source).toBe('videos');
  expect(page?.entries).toHaveLength(4);
  expect(page?.entries[0]).toMatchObject({ playCount: expect.any(Number), duration: 30 });
});

test.each([
  ['/about', 'lab.person', 'signin_required', false],
  ['/reels', 'lab.person', 'signin_required', false],
  ['/photos', 'lab.person', 'signin_required', false],
  ['/details', 'lab.walled', 'signin_required', true],
  ['/about', 'lab.walled', 'signin_required', true],
  ['/reels', 'lab.walled', 'signin_required', true],
  ['/photos', 'lab.walled', 'signin_required', true],
  ['/details', 'lab.gone', 'not_found', false],
  ['/id', 'lab.gone', 'not_found', false],
  ['/about', 'lab.gone', 'not_found', false],
  ['/reels', 'lab.gone', 'not_found', false],
])('%s of %s returns 200 with %s', async (path, name, code, retryable) => {
  const { status, body } = await asking(path, `${site}/${name}`);
  expect([status, body.error?.code, body.error?.retryable]).toEqual([200, code, retryable]);
});
