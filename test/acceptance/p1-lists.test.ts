import { describe, expect, inject, test } from 'vitest';
import { untranslatedTitle } from '../../lab/platforms/headlines.ts';
import { everyPage, type Item, idsOf, itemsOf, listOf, openP1 } from '../support/p1-client.ts';

const ask = openP1(inject('serviceUrl'));
const channels = {
  newest: 'UC85zAYFztyDQQgidr86JyUQ',
  older: 'UC5zmAwLnbkGghBE7X50Tkog',
  empty: 'UC2tZBIRbJWJwxhnZD2udW8w',
  terminated: 'UCznMBgXO3INBCCJ2vzonJRA',
  ageGated: 'UCwg_B4dCk6QRSisUbwiw7lQ',
  big: 'UCtayCQi2SsThjDOyHtc6t5g',
};
const playlists = {
  newest: 'PLnjd5uX9KfBXznMBgXO3INBCCJ2vzonJR',
  older: 'PLcP9XsMNoKXoFriz15rDgm3S_1eFi0nJR',
  private: 'PLPG7zcv6U-CvnOYDAuduQaCEETtfnROSi',
  uploads: 'UU85zAYFztyDQQgidr86JyUQ',
  shorts: 'UUSH85zAYFztyDQQgidr86JyUQ',
};
const unknownChannel = 'UCAAAAAAAAAAAAAAAAAAAAAA';
const pictures = expect.arrayContaining([
  { url: expect.stringMatching(/^https:/), width: expect.any(Number), height: expect.any(Number) },
]);

describe('/playlist', () => {
  test.each([playlists.newest, playlists.older])(
    'returns %s with its details in pages of a hundred, to the end',
    async (id) => {
      const { status, body } = await ask('/playlist', { playlistId: id });
      expect([status, body.error]).toEqual([200, null]);
      expect(body).not.toHaveProperty('contents');
      const { title, thumbnailUrl, playlist } = body.metadata;
      expect(playlist?.info).toMatchObject({
        id,
        title,
        description: 'Gathered by the lab.',
        author: { id: expect.stringMatching(/^UC/), name: expect.any(String), url: expect.stringMatching(/^https:/) },
        videoCount: 250,
        videoCountText: '250 videos',
        viewCount: 1_234_567,
        viewCountText: '1,234,567 views',
        updatedText: expect.stringMatching(/updated/i),
        thumbnails: pictures,
        url: `https://www.youtube.com/playlist?list=${id}`,
      });
      expect(thumbnailUrl).toMatch(/^https:/);
      expect(playlist?.messages).toEqual(['1 unavailable video is hidden']);
      const pages = await everyPage(ask, '/playlist', { playlistId: id });
      expect(pages.map(({ items }) => items.length)).toEqual([100, 100, 50]);
      expect(itemsOf(pages).map(({ index }) => index ?? 2)).toEqual(
        Array.from({ length: 250 }, (_, place) => place + 1),
      );
    },
  );

  test.each([playlists.newest, playlists.older])(
    'includes the reason why an entry of %s cannot be played',
    async (playlistId) => {
      const { body } = await ask('/playlist', { playlistId });
      const [, hidden] = listOf(body).items;
      expect(hidden).toMatchObject({ type: 'video', id: 'lab-private', title: '[Private video]', playable: false });
      expect(body.notes?.join(' ')).toContain('1 of these 100 videos cannot be played');
    },
  );

  test('returns entries of both generations with the same members', async () => {
    const [newest, older] = await Promise.all(
      [playlists.newest, playlists.older].map(
        async (playlistId) => listOf((await ask('/playlist', { playlistId })).body).items[0],
      ),
    );
    expect(newest).toMatchObject({
      type: 'video',
      channel: { id: expect.stringMatching(/^UC/), handle: expect.stringMatching(/^@/) },
      duration: expect.any(Number),
      durationText: expect.stringMatching(/^\d+:\d\d$/),
      publishedText: expect.stringMatching(/ago$/),
      viewCount: expect.any(Number),
      viewCountText: expect.stringMatching(/views?$/),
      thumbnails: pictures,
    });
    expect(membersOf([older])).toEqual(membersOf([newest]));
  });

  test('omits the details of the playlist from later pages', async () => {
    const { body } = await ask('/playlist', { playlistId: playlists.newest });
    const later = await ask('/playlist', { playlistId: playlists.newest, nextToken: listOf(body).nextToken ?? '' });
    expect(later.body.metadata.playlist).not.toHaveProperty('info');
  });

  test.each([
    [playlists.uploads, 'videos', 95],
    [playlists.shorts, 'shorts', 90],
  ])('lists %s as the %s of a channel', async (playlistId, contentType, count) => {
    const listed = itemsOf(await everyPage(ask, '/playlist', { playlistId }));
    const tab = itemsOf(await everyPage(ask, '/channel/videos', { channelId: channels.newest, contentType }));
    expect(listed).toHaveLength(count);
    expect(idsOf(listed)).toEqual(idsOf(tab));
  });

  test('continues a mix endlessly from its last video', async () => {
    const query = { playlistId: 'RDlab-plain30' };
    const { body } = await ask('/playlist', query);
    expect(body.metadata.playlist?.info).toMatchObject({
      id: 'RDlab-plain30',
      title: expect.stringMatching(/^Mix/),
      endless: true,
    });
    const ids: string[] = [...idsOf(listOf(body).items)];
    let { nextToken } = listOf(body);
    expect([ids.length, ids[0]]).toEqual([25, 'lab-plain30']);
    for (let page = 2; page <= 5; page += 1) {
      const later = await ask('/playlist', { ...query, nextToken: nextToken ?? '' });
      expect(later.body.error).toBeNull();
      ids.push(...idsOf(listOf(later.body).items));
      nextToken = listOf(later.body).nextToken;
    }
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(100);
    expect(nextToken).not.toBeNull();
  });

  test.each([
    ['private', playlists.private],
    ['unknown', 'PLAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['malformed', 'nothing-at-all'],
    ['a mix of an unknown video', 'RDaaaaaaaaaaa'],
  ])('returns not_found for a playlist that is %s: %s', async (_name, playlistId) => {
    const { status, body } = await ask('/playlist', { playlistId });
    expect(status).toBe(200);
    expect(body.error).toMatchObject({ code: 'not_found', statusCode: 404, retryable: false });
    expect(body.metadata).toEqual({});
  });
});

describe('/channel/details', () => {
  test('returns headers of both generations with the same members', async () => {
    const responses = await Promise.all(
      [channels.newest, channels.older].map((channelId) => ask('/channel/details', { channelId })),
    );
    const [newest, older] = responses.map(({ body }) => body.metadata);
    expect(newest?.title).toBe('The Lab');
    expect(newest?.thumbnailUrl).toMatch(/^https:/);
    expect(newest?.channel).toEqual({
      channelId: channels.newest,
      handle: '@thelab',
      title: 'The Lab',
      description: expect.stringMatching(/^A new film about bridges/),
      verified: true,
      subscriberCount: 50_000,
      subscriberCountText: '50K subscribers',
      videoCount: 95,
      videoCountText: '95 videos',
      viewCount: 1_553_441,
      viewCountText: '1,553,441 views',
      country: 'Germany',
      joinedText: 'Joined Jan 2, 2012',
      joinedAt: '2012-01-02',
      links: [{ title: 'Website', url: 'https://lab.example/bridges' }],
      avatar: pictures,
      banner: pictures,
      keywords: ['lab', 'bridges'],
      familySafe: true,
      availableCountries: expect.arrayContaining(['DE']),
      rssUrl: expect.stringContaining(channels.newest),
      tabs: ['featured', 'videos', 'shorts', 'livestreams', 'releases', 'podcasts', 'playlists', 'posts'],
      url: `https://www.youtube.com/channel/${channels.newest}`,
    });
    expect(Object.keys(older?.channel ?? {}).sort()).toEqual(Object.keys(newest?.channel ?? {}).sort());
  });

  test('returns the same numbers in every lang', async () => {
    const { body } = await ask('/channel/details', { channelId: channels.newest, lang: 'ja' });
    expect(body.metadata.channel).toMatchObject({ subscriberCount: 50_000, videoCount: 95, joinedAt: '2012-01-02' });
  });
});

describe.each([
  ['/channel/details', {}],
  ['/channel/videos', { contentType: 'videos' }],
  ['/channel/playlists', { contentType: 'playlists' }],
  ['/channel/posts', {}],
])('%s of an unavailable channel', (path, more) => {
  test.each([
    ['terminated', channels.terminated, 'not_found', 404],
    ['behind the age gate', channels.ageGated, 'age_restricted', 403],
    ['unknown', unknownChannel, 'not_found', 404],
  ])('returns the error of a channel that is %s', async (_name, channelId, code, statusCode) => {
    const { status, body } = await ask(path, { channelId, ...more });
    expect(status).toBe(200);
    expect(body.error).toMatchObject({ code, statusCode, retryable: false });
    expect(body.metadata).toEqual({});
  });
});

describe('/channel/videos', () => {
  const kinds = { videos: 30, shorts: 48, livestreams: 30 } as const;
  for (const [contentType, perPage] of Object.entries(kinds)) {
    test.each([channels.newest, channels.older])(
      `${contentType} of %s are listed newest first, to the end`,
      async (id) => {
        const query = { channelId: id, contentType };
        const { status, body } = await ask('/channel/videos', query);
        expect([status, body.error]).toEqual([200, null]);
        expect(Object.keys(body.metadata.channel ?? {})).toEqual([contentType]);
        const pages = await everyPage(ask, '/channel/videos', query);
        const listed = itemsOf(pages);
        expect(pages.slice(0, -1).every(({ items }) => items.length === perPage)).toBe(true);
        expect(new Set(idsOf(listed)).size).toBe(listed.length);
        const types = contentType === 'shorts' ? ['short'] : ['video', 'live'];
        for (const item of listed) {
          expect(types).toContain(item.type);
          expect(item).toMatchObject({ id: expect.stringMatching(/^[\w-]{11}$/), title: expect.any(String) });
        }
        const ages = listed.map(daysOf).filter((days) => days !== undefined);
        expect(ages).toEqual(ages.toSorted((a, b) => a - b));
      },
    );
  }

  test('returns videos of both generations with the same members', async () => {
    for (const channelId of [channels.newest, channels.older]) {
      const { body } = await ask('/channel/videos', { channelId, contentType: 'videos' });
      expect(listOf(body).items[0]).toMatchObject({
        type: 'video',
        title: expect.any(String),
        url: expect.stringMatching(/^https:\/\/www\.youtube\.com\/watch\?v=/),
        duration: expect.any(Number),
        durationText: expect.any(String),
        publishedText: '3 hours ago',
        viewCount: expect.any(Number),
        viewCountText: expect.any(String),
        thumbnails: pictures,
      });
    }
  });

  test('marks live and upcoming videos', async () => {
    const { body } = await ask('/channel/videos', { channelId: channels.newest, contentType: 'livestreams' });
    const [first, second] = listOf(body).items;
    expect(first).toMatchObject({
      type: 'live',
      viewerCount: expect.any(Number),
      viewerCountText: expect.stringContaining('watching'),
    });
    expect(second).toMatchObject({ type: 'video', upcoming: true, waitingCount: expect.any(Number) });
  });

  test('lists all of a thousand videos', async () => {
    const query = { channelId: channels.big, contentType: 'videos' };
    const ids = idsOf(itemsOf(await everyPage(ask, '/channel/videos', query)));
    expect([ids.length, new Set(ids).size]).toEqual([1000, 1000]);
  });
});

describe('/channel/playlists', () => {
  test.each([
    ['playlists', channels.newest, 'playlist'],
    ['playlists', channels.older, 'playlist'],
    ['releases', channels.newest, 'playlist'],
    ['releases', channels.older, 'playlist'],
    ['podcasts', channels.newest, 'podcast'],
    ['podcasts', channels.older, 'podcast'],
  ])('lists %s of %s to the end', async (contentType, channelId, kind) => {
    const query = { channelId, contentType };
    const { body } = await ask('/channel/playlists', query);
    expect(Object.keys(body.metadata.channel ?? {})).toEqual([contentType]);
    const listed = itemsOf(await everyPage(ask, '/channel/playlists', query));
    expect(new Set(idsOf(listed)).size).toBe(listed.length);
    expect(listed.length).toBeGreaterThan(1);
    for (const item of listed) {
      expect(item).toMatchObject({
        type: 'playlist',
        kind,
        id: expect.stringMatching(/^PL/),
        title: expect.any(String),
        videoCount: expect.any(Number),
        videoCountText: expect.stringMatching(/^\d+ (?:videos|episodes)$/),
        firstVideoId: expect.stringMatching(/^[\w-]{11}$/),
        thumbnails: pictures,
      });
    }
  });
});

test.each([
  ['/channel/videos', 'videos'],
  ['/channel/videos', 'shorts'],
  ['/channel/videos', 'livestreams'],
  ['/channel/playlists', 'playlists'],
  ['/channel/playlists', 'releases'],
  ['/channel/playlists', 'podcasts'],
])('returns no %s, and adds a note, when a channel lacks the tab of %s', async (path, contentType) => {
  const { status, body } = await ask(path, { channelId: channels.empty, contentType });
  expect([status, body.error]).toEqual([200, null]);
  expect(body.metadata.channel).toEqual({ [contentType]: { contents: [], nextToken: null } });
  expect(body.notes?.join(' ')).toContain(contentType);
});

describe('/channel/id-from-handle', () => {
  test.each([
    ['thelab', channels.newest, '@thelab'],
    ['@thelab', channels.newest, '@thelab'],
    ['@TheOldLab', channels.older, expect.stringMatching(/^@theoldlab$/i)],
    ['user/thelab', channels.newest, undefined],
    ['c/labmoved', channels.newest, '@thelab'],
  ])('resolves %s as the handle of %s', async (handle, channelId, itsHandle) => {
    const { status, body } = await ask('/channel/id-from-handle', { handle });
    expect([status, body.error]).toEqual([200, null]);
    expect(body.metadata.channel).toEqual({ channelId, ...(itsHandle === undefined ? {} : { handle: itsHandle }) });
  });

  test.each(['nobodythere', '@日本語', '%00', 'é%2e%2e'])('returns not_found for %s', async (handle) => {
    const { status, body } = await ask('/channel/id-from-handle', { handle });
    expect([status, body.error?.code, body.error?.statusCode]).toEqual([200, 'not_found', 404]);
  });
});

/** Words of which every translated title has one. */
const germanWords = /funktionieren|stiller|geheime|über|Von Hand|Stunde|Jahr|Morgengrauen|Warum|für|letzten|Vergessene/;
const frenchWords =
  /Comment|promenade|secrète|choses|main|heure|chaque jour|aube|Pourquoi|savoir|débutants|derniers|oubliés/;
const isTranslated = (id: unknown) => untranslatedTitle(String(id)) === undefined;

describe('lang', () => {
  test.each([
    ['/playlist', { playlistId: playlists.newest }],
    ['/playlist', { playlistId: playlists.older }],
    ['/playlist', { playlistId: 'RDlab-plain30' }],
    ['/channel/videos', { channelId: channels.newest, contentType: 'videos' }],
    ['/channel/videos', { channelId: channels.newest, contentType: 'shorts' }],
    ['/hashtag', { tag: 'lab' }],
    ['/hashtag', { tag: 'labold' }],
    ['/search', { query: 'bridges' }],
    ['/search/movie', { query: 'bridges' }],
  ])('of %s %o translates titles and keeps the numbers', async (path, query) => {
    const [english, german, upper, none] = await Promise.all(
      ['en', 'de', 'DE', ''].map(async (lang) => listOf((await ask(path, { ...query, lang })).body).items),
    );
    const titlesOf = (items: readonly Item[] = []) =>
      items.map(({ type, id, viewCount, viewCountText, duration }) => ({
        type,
        id,
        viewCount,
        viewCountText,
        duration,
      }));
    expect(titlesOf(german)).toEqual(titlesOf(english));
    expect(upper).toEqual(german);
    expect(none).toEqual(english);
    const videos = (items: readonly Item[] = []) =>
      items.filter(({ type, title }) => type !== 'channel' && type !== 'playlist' && title !== '[Private video]');
    const titles = videos(german).map(({ title }) => title);
    for (const [place, { id, title }] of videos(english).entries()) {
      if (isTranslated(id)) expect(titles[place]).toMatch(germanWords);
      else expect(titles[place]).toBe(title);
    }
    expect(videos(english).some(({ id }) => isTranslated(id))).toBe(true);
  });

  test('applies to later pages', async () => {
    const query = { tag: 'lab', lang: 'fr' };
    const pages = await everyPage(ask, '/hashtag', query);
    const translated = itemsOf(pages).filter(({ id }) => isTranslated(id));
    expect(translated.length).toBeGreaterThan(40);
    for (const { title } of translated) expect(title).toMatch(frenchWords);
  });
});

/** Returns the member names of entries, in order. */
function membersOf(items: readonly (Item | undefined)[]): readonly string[][] {
  return items.map((item) => Object.keys(item ?? {}).sort());
}

/** Returns the approximate age of an entry in days, according to the site's text. */
function daysOf({ publishedText }: Item): number | undefined {
  const [, number, unit = ''] = /(\d+) (hour|day|week|month|year)/.exec(String(publishedText)) ?? [];
  const days: Readonly<Record<string, number>> = { hour: 0, day: 1, week: 7, month: 30, year: 365 };
  return number === undefined ? undefined : Number(number) * (days[unit] ?? 0);
}
