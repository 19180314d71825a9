import { describe, expect, it } from 'vitest';
import { type RecognisedLink, recogniseLink } from '../recognise-link.ts';
import {
  createTestClient,
  errorResponse,
  jsonResponse,
  type RequestHandler,
  successResponse,
} from '../testing/test-client.ts';
import type { Collection, CollectionOptions } from './collection.ts';
import type { CollectionEntry } from './collection-entry.ts';
import { isCollection } from './entry-lists.ts';

const playlistLink: RecognisedLink = { platform: 'p1', endpoint: 'playlist', parameters: { playlistId: 'PLabc' } };
const channelId = 'UCabcdefghijklmnopqrstuv';

function linkOf(text: string): RecognisedLink {
  const link = recogniseLink(text);
  if (link === undefined) throw new Error(`${text} is not recognised`);
  return link;
}

const videoId = (number: number) => `video-${String(number).padStart(5, '0')}`;

function video(number: number, more: object = {}) {
  const id = videoId(number);
  return { type: 'video', id, title: `Video ${number}`, url: `https://www.youtube.com/watch?v=${id}`, ...more };
}

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, place) => first + place);

/** Returns a page of a playlist with these videos. */
const page = (numbers: readonly number[], nextToken: string | null, more: object = {}) =>
  successResponse({ playlist: { videos: numbers.map((number) => video(number)), nextToken, ...more } });

/** Serves the pages of a playlist by their tokens. The first one has none. */
function servePages(pages: Readonly<Record<string, () => Response>>): RequestHandler {
  return ({ url }) => pages[url.searchParams.get('nextToken') ?? '']?.() ?? errorResponse(400, 'invalid_token');
}

const threePages = servePages({
  '': () => page(range(1, 4), 'b'),
  b: () => page(range(5, 8), 'c'),
  c: () => page(range(9, 10), null),
});

async function collect(collection: Collection, count = Number.POSITIVE_INFINITY): Promise<CollectionEntry[]> {
  const entries: CollectionEntry[] = [];
  if (count === 0) return entries;
  for await (const entry of collection) {
    entries.push(entry);
    if (entries.length >= count) break;
  }
  return entries;
}

const titlesOf = (entries: readonly CollectionEntry[]) => entries.map(({ index, title }) => `${index} ${title}`);

const tokensOf = (requests: readonly { readonly url: URL }[]) =>
  requests.map(({ url }) => url.searchParams.get('nextToken') ?? 'first');

describe('the entries of a playlist', () => {
  it('come from its pages, which are requested when they are needed', async () => {
    const { client, requests } = createTestClient(threePages);
    const collection = client.collection(playlistLink);
    expect(titlesOf(await collect(collection, 4))).toEqual(range(1, 4).map((number) => `${number} Video ${number}`));
    expect(tokensOf(requests)).toEqual(['first']);
    expect(titlesOf(await collect(client.collection(playlistLink)))).toHaveLength(10);
    expect(tokensOf(requests)).toEqual(['first', 'first', 'b', 'c']);
  });

  it('have what the platform states about them, and their link', async () => {
    const items = [
      video(1, {
        channel: { name: 'The lab' },
        duration: 30,
        thumbnails: [{ url: 'https://pictures.example/large' }, { url: 'https://pictures.example/small' }],
      }),
      video(2, { type: 'live' }),
      video(3, { playable: false }),
      { type: 'hashtag', id: 'lab', url: 'https://elsewhere.example/lab' },
    ];
    const { client } = createTestClient(() => successResponse({ playlist: { videos: items, nextToken: null } }));
    const [first, live, hidden, other] = await collect(client.collection(playlistLink));
    expect(first).toEqual({
      index: 1,
      kind: 'video',
      id: videoId(1),
      title: 'Video 1',
      author: 'The lab',
      url: `https://www.youtube.com/watch?v=${videoId(1)}`,
      duration: 30,
      thumbnailUrl: 'https://pictures.example/large',
      link: { platform: 'p1', endpoint: 'video/details', parameters: { videoId: videoId(1) } },
      item: items[0],
      resumeToken: expect.any(String),
    });
    expect([live?.live, hidden?.unavailable]).toEqual([true, true]);
    expect(other).toMatchObject({ kind: 'other', id: 'lab' });
    expect(other).not.toHaveProperty('link');
  });

  it('end at the limit', async () => {
    const { client, requests } = createTestClient(threePages);
    expect(await collect(client.collection(playlistLink, { limit: 4 }))).toHaveLength(4);
    expect(await collect(client.collection(playlistLink, { limit: 0 }))).toHaveLength(0);
    expect(requests).toHaveLength(1);
  });

  it('are skipped if they repeat on a later page', async () => {
    const { client } = createTestClient(
      servePages({ '': () => page([1, 2, 2, 3], 'b'), b: () => page([3, 1, 4], null) }),
    );
    expect(titlesOf(await collect(client.collection(playlistLink)))).toEqual([
      '1 Video 1',
      '2 Video 2',
      '3 Video 2',
      '4 Video 3',
      '5 Video 4',
    ]);
  });

  it.each([
    ['without new entries', servePages({ '': () => page([1, 2], 'b'), b: () => page([2, 1], 'c') }), ['first', 'b']],
    [
      'whose token repeats',
      servePages({ '': () => page([1], 'b'), b: () => page([2], 'b'), c: () => page([3], null) }),
      ['first', 'b'],
    ],
    ['without entries', servePages({ '': () => page([1, 2], 'b'), b: () => page([], 'c') }), ['first', 'b']],
  ])('end at a page %s', async (_, handler, tokens) => {
    const { client, requests } = createTestClient(handler);
    expect(await collect(client.collection(playlistLink))).toHaveLength(2);
    expect(tokensOf(requests)).toEqual(tokens);
  });

  it('end after 500 pages', async () => {
    const { client, requests } = createTestClient(({ url }) => {
      const number = Number(url.searchParams.get('nextToken') ?? 1);
      return page([number], String(number + 1));
    });
    expect(await collect(client.collection(playlistLink))).toHaveLength(500);
    expect(requests).toHaveLength(500);
  });

  it('throw the error of a page, after the entries before it', async () => {
    const { client } = createTestClient(
      servePages({ '': () => page([1, 2], 'b'), b: () => errorResponse(404, 'not_found') }),
    );
    const entries: CollectionEntry[] = [];
    const reading = async () => {
      for await (const entry of client.collection(playlistLink)) entries.push(entry);
    };
    await expect(reading()).rejects.toMatchObject({ code: 'not_found' });
    expect(entries).toHaveLength(2);
  });
});

describe('the pages of a collection', () => {
  const pagesOf = async (collection: Collection) => {
    const pages: string[] = [];
    for await (const { entries, hasMore } of collection.pages()) {
      pages.push(`${entries.map(({ index }) => index).join(' ')}${hasMore ? ' …' : ''}`);
    }
    return pages;
  };

  it('have the entries of one response each, and state whether more follow', async () => {
    const { client } = createTestClient(threePages);
    expect(await pagesOf(client.collection(playlistLink))).toEqual(['1 2 3 4 …', '5 6 7 8 …', '9 10']);
    expect(await pagesOf(client.collection(playlistLink, { limit: 6 }))).toEqual(['1 2 3 4 …', '5 6']);
    expect(await pagesOf(client.collection(playlistLink, { limit: 4 }))).toEqual(['1 2 3 4']);
    const [, , third] = await collect(client.collection(playlistLink));
    expect(await pagesOf(client.collection(playlistLink, { resume: third?.resumeToken }))).toEqual([
      ...['4 …', '5 6 7 8 …', '9 10'],
    ]);
  });

  it('do not exist if the list is empty', async () => {
    const { client } = createTestClient(() => page([], null));
    expect(await pagesOf(client.collection(playlistLink))).toEqual([]);
  });

  it('start with a response that the caller has already', async () => {
    const { client, requests } = createTestClient(threePages);
    const firstResponse = await client.extractLink(playlistLink);
    const collection = client.collection(playlistLink, { firstResponse });
    expect(await pagesOf(collection)).toHaveLength(3);
    expect(await pagesOf(collection)).toHaveLength(3);
    expect(tokensOf(requests)).toEqual(['first', 'b', 'c', 'first', 'b', 'c']);
  });
});

describe('the details of a collection', () => {
  it('share their request with the iteration', async () => {
    const info = { title: 'Best of bridges', author: { name: 'The lab' }, videoCount: 10 };
    const { client, requests } = createTestClient(({ url }) =>
      url.searchParams.has('nextToken')
        ? page([3], null)
        : jsonResponse({
            error: null,
            metadata: {
              title: 'Best of bridges',
              thumbnailUrl: 'https://pictures.example/1',
              playlist: { info, videos: [video(1), video(2)], nextToken: 'b' },
            },
          }),
    );
    const collection = client.collection(playlistLink);
    expect(await collection.details()).toEqual({
      title: 'Best of bridges',
      author: 'The lab',
      count: 10,
      thumbnailUrl: 'https://pictures.example/1',
    });
    expect(await collect(collection)).toHaveLength(3);
    expect(await collection.details()).toMatchObject({ count: 10 });
    expect(tokensOf(requests)).toEqual(['first', 'b']);
  });

  it('are requested again after a failure', async () => {
    const { client } = createTestClient((_, attempt) =>
      attempt === 1 ? errorResponse(404, 'not_found') : page([1], null, { info: { id: 'PLabc', videoCount: 1 } }),
    );
    const collection = client.collection(playlistLink);
    await expect(collection.details()).rejects.toMatchObject({ code: 'not_found' });
    expect(await collection.details()).toEqual({ count: 1 });
  });

  it.each([
    [
      'a search',
      'https://www.youtube.com/results?search_query=bridges',
      { additionalData: { searchResults: { results: [], estimated_results: 9, nextToken: null } } },
      { title: 'bridges', count: 9 },
    ],
    [
      'a hashtag',
      '#lab',
      { hashtag: { tag: 'lab', videoCount: 7, contents: [], nextToken: null } },
      { title: '#lab', count: 7 },
    ],
    [
      'a profile',
      'https://www.instagram.com/thelab/',
      { author: { username: 'thelab', postCount: 90, posts: [] } },
      { author: 'thelab', count: 90, partial: true },
    ],
  ])('are those of %s', async (_, text, metadata, details) => {
    const { client } = createTestClient(() => successResponse(metadata));
    expect(await client.collection(linkOf(text)).details()).toEqual(details);
  });
});

describe('a resume token', () => {
  async function resumeAfter(count: number, handler: RequestHandler, before = threePages) {
    const last = (await collect(createTestClient(before).client.collection(playlistLink), count)).at(-1);
    const { client, requests } = createTestClient(handler);
    const options: CollectionOptions = { resume: last?.resumeToken };
    const entries = await collect(client.collection(playlistLink, options));
    return { titles: titlesOf(entries), tokens: tokensOf(requests) };
  }

  it.each(range(1, 10))('continues after entry %i', async (count) => {
    const { titles } = await resumeAfter(count, threePages);
    expect(titles).toEqual(range(count + 1, 10).map((number) => `${number} Video ${number}`));
  });

  it('continues at its page, without the pages before', async () => {
    expect((await resumeAfter(6, threePages)).tokens).toEqual(['b', 'c']);
  });

  it('starts from the first page if the token of its page has expired', async () => {
    const later = servePages({ '': () => page(range(1, 7), 'y'), y: () => page(range(8, 10), null) });
    expect(await resumeAfter(6, later)).toEqual({
      titles: ['7 Video 7', '8 Video 8', '9 Video 9', '10 Video 10'],
      tokens: ['b', 'first', 'y'],
    });
  });

  it('finds its entry in a list that has grown at its beginning', async () => {
    const later = servePages({ '': () => page([13, 12, 11, ...range(1, 10)], null) });
    expect((await resumeAfter(6, later)).titles[0]).toBe('7 Video 7');
  });

  it('continues at the place of its entry if that has been removed', async () => {
    const later = servePages({ '': () => page([1, 2, 3, 4, 5, 8, 9], null) });
    expect((await resumeAfter(6, later)).titles).toEqual(['7 Video 9']);
  });

  it('is refused if it is damaged or belongs to another link', async () => {
    const { client } = createTestClient(threePages);
    const [entry] = await collect(client.collection(playlistLink), 1);
    const other: RecognisedLink = { ...playlistLink, parameters: { playlistId: 'PLother' } };
    for (const start of [
      () => client.collection(other, { resume: entry?.resumeToken }),
      () => client.collection(playlistLink, { resume: 'damaged' }),
    ]) {
      expect(start).toThrow(expect.objectContaining({ name: 'MillraceCollectionError', fault: 'invalid_resume' }));
    }
  });
});

describe('an iteration whose page token expires', () => {
  it('starts from the first page and skips what it has delivered', async () => {
    let isExpired = true;
    const { client, requests } = createTestClient(
      servePages({
        '': () => page(range(1, 4), 'b'),
        b: () => {
          if (!isExpired) return page(range(5, 8), null);
          isExpired = false;
          return errorResponse(400, 'invalid_token');
        },
      }),
    );
    expect(titlesOf(await collect(client.collection(playlistLink)))).toEqual(
      range(1, 8).map((number) => `${number} Video ${number}`),
    );
    expect(tokensOf(requests)).toEqual(['first', 'b', 'first', 'b']);
  });

  it('fails if a new token is refused as well', async () => {
    const { client, requests } = createTestClient(servePages({ '': () => page(range(1, 4), 'b') }));
    await expect(collect(client.collection(playlistLink))).rejects.toMatchObject({ code: 'invalid_token' });
    expect(tokensOf(requests)).toEqual(['first', 'b', 'first', 'b']);
  });
});

describe('the collection of a link', () => {
  const paths = (requests: readonly { readonly url: URL }[]) =>
    requests.map(({ url }) => url.pathname.slice(1) + decodeURIComponent(url.search));

  it.each([
    ['https://www.youtube.com/playlist?list=PL12345678901', true],
    ['https://www.youtube.com/@thelab', true],
    [channelId, true],
    ['#lab', true],
    ['https://www.youtube.com/results?search_query=a', true],
    ['https://www.instagram.com/thelab/', true],
    ['https://www.facebook.com/thelab', true],
    ['https://www.facebook.com/thelab/photos', true],
    ['https://www.tiktok.com/@thelab', true],
    ['https://youtu.be/dQw4w9WgXcQ', false],
    ['https://www.instagram.com/p/abcde/', false],
    ['https://www.facebook.com/reel/123456', false],
  ])('%s is a list: %s', (text, isList) => {
    expect(isCollection(linkOf(text))).toBe(isList);
  });

  it('of a handle has all uploads of the channel', async () => {
    const { client, requests } = createTestClient(({ url }) =>
      url.pathname.endsWith('id-from-handle') ? successResponse({ channel: { channelId } }) : page([1], null),
    );
    expect(await collect(client.collection(linkOf('@thelab')))).toHaveLength(1);
    expect(paths(requests)).toEqual([
      'p1/v3/channel/id-from-handle?handle=@thelab',
      `p1/v3/playlist?playlistId=UU${channelId.slice(2)}`,
    ]);
  });

  it('of a search has videos, channels and lists with their links', async () => {
    const results = [
      video(1),
      { type: 'channel', id: channelId, title: 'The lab', url: `https://www.youtube.com/channel/${channelId}` },
      { type: 'mix', id: 'RDabcdefghijk', url: 'https://www.youtube.com/watch?v=abcdefghijk&list=RDabcdefghijk' },
    ];
    const { client } = createTestClient(() =>
      successResponse({ additionalData: { searchResults: { results, nextToken: null } } }),
    );
    const entries = await collect(client.collection(linkOf('https://www.youtube.com/results?search_query=a')));
    expect(entries.map(({ kind, link }) => [kind, link?.endpoint])).toEqual([
      ['video', 'video/details'],
      ['channel', 'channel/details'],
      ['playlist', 'playlist'],
    ]);
  });

  it('of a p2 profile has its latest posts', async () => {
    const posts = [
      { type: 'carousel', id: '1', url: 'https://www.instagram.com/p/abcde/', caption: '\nFirst line\nSecond line' },
      { type: 'reel', id: '2', url: 'https://www.instagram.com/reel/fghij/' },
    ];
    const { client } = createTestClient(() => successResponse({ author: { username: 'thelab', posts } }));
    const entries = await collect(client.collection(linkOf('https://www.instagram.com/thelab/')));
    expect(entries.map(({ kind, title, author, link }) => [kind, title, author, link?.parameters.shortcode])).toEqual([
      ['post', 'First line', 'thelab', 'abcde'],
      ['video', undefined, 'thelab', 'fghij'],
    ]);
  });

  const profileList = (name: 'reels' | 'photos', ids: readonly string[]) =>
    successResponse({
      author: {
        [name]: {
          contents: ids.map((id) => ({
            type: name === 'reels' ? 'reel' : 'photo',
            id,
            url:
              name === 'reels' ? `https://www.facebook.com/reel/${id}` : `https://www.facebook.com/photo/?fbid=${id}`,
          })),
          nextToken: null,
        },
      },
    });
  const signIn = () => errorResponse(403, 'signin_required');
  const serveProfile =
    (reels: () => Response, photos: () => Response): RequestHandler =>
    ({ url }) =>
      url.pathname.endsWith('reels') ? reels() : photos();

  it('of a p3 profile has its reels and photos, and can be resumed in each', async () => {
    const { client } = createTestClient(
      serveProfile(
        () => profileList('reels', ['100001', '100002']),
        () => profileList('photos', ['200001', '200002']),
      ),
    );
    const link = linkOf('https://www.facebook.com/thelab');
    const entries = await collect(client.collection(link));
    expect(entries.map(({ index, kind, id }) => `${index} ${kind} ${id}`)).toEqual([
      '1 video 100001',
      '2 video 100002',
      '3 image 200001',
      '4 image 200002',
    ]);
    for (const [place, { resumeToken }] of entries.entries()) {
      expect(await collect(client.collection(link, { resume: resumeToken }))).toEqual(entries.slice(place + 1));
    }
  });

  it('of a p3 profile skips a list that requires a sign-in, unless both do', async () => {
    const link = linkOf('https://www.facebook.com/thelab');
    const { client } = createTestClient(serveProfile(signIn, () => profileList('photos', ['200001'])));
    const collection = client.collection(link);
    expect(await collection.details()).toEqual({});
    expect(await collect(collection)).toHaveLength(1);
    const closed = createTestClient(serveProfile(signIn, signIn)).client;
    await expect(collect(closed.collection(link))).rejects.toMatchObject({ code: 'signin_required' });
    const cut = createTestClient(({ url }) => {
      if (!url.pathname.endsWith('reels') || url.searchParams.has('nextToken')) return signIn();
      const reels = { contents: [{ type: 'reel', id: '100001' }], nextToken: 'b' };
      return successResponse({ author: { reels } });
    }).client;
    await expect(collect(cut.collection(link))).rejects.toMatchObject({ code: 'signin_required' });
    await expect(closed.collection(link).details()).rejects.toMatchObject({ code: 'signin_required' });
  });

  it.each([
    ['a p4 profile', linkOf('https://www.tiktok.com/@thelab'), {}, 'not_listed', /TikTok does not list/],
    [
      'a private p2 profile',
      linkOf('https://www.instagram.com/thelab/'),
      { author: { private: true } },
      'not_listed',
      /is private/,
    ],
    [
      'a p2 profile without its posts',
      linkOf('https://www.instagram.com/thelab/'),
      { author: {} },
      'not_listed',
      /did not list/,
    ],
    [
      'a post without its channel',
      linkOf('https://www.youtube.com/post/Ugabcdefghijklmn'),
      {},
      'incomplete_link',
      /channelId/,
    ],
    [
      'an account ID',
      { platform: 'p3', endpoint: 'profile/id', parameters: { url: 'a' } } as const,
      {},
      'not_listed',
      /nothing/,
    ],
  ])('is refused: %s', async (_, link, metadata, fault, message) => {
    const { client } = createTestClient(() => successResponse(metadata));
    await expect(collect(client.collection(link))).rejects.toMatchObject({
      name: 'MillraceCollectionError',
      fault,
      message: expect.stringMatching(message),
    });
  });

  it('of a post has the items of its result, with the media', async () => {
    const image = (number: number) => ({
      label: 'image',
      url: `https://pictures.example/${number}`,
      repId: `${number}`,
      metadata: { mime_type: 'image/jpeg' },
    });
    const contents = [{ images: [image(1)] }, { videos: [image(2)], renderableVideos: [] }, { audios: [image(3)] }];
    const { client, requests } = createTestClient(() =>
      jsonResponse({ error: null, contents, metadata: { title: 'A post', author: { name: 'The lab' } } }),
    );
    const link = linkOf('https://www.instagram.com/p/abcde/');
    const options = { parameters: { renderableFormats: ['all'], transcriptLanguage: 'de' } };
    const entries = await collect(client.collection(link, options));
    expect(entries.map(({ index, kind, title, content }) => [index, kind, title, content?.index])).toEqual([
      [1, 'image', 'A post', 0],
      [2, 'video', 'A post', 1],
      [3, 'other', 'A post', 2],
    ]);
    expect(entries[1]?.content?.result.contents?.[1]).toEqual(contents[1]);
    expect(requests[0]?.url.search).toBe('?shortcode=abcde&renderableFormats=all');
    const resumed = await collect(client.collection(link, { resume: entries[0]?.resumeToken }));
    expect(resumed.map(({ index }) => index)).toEqual([2, 3]);
  });

  it('of a p1 post has its attachments', async () => {
    const post = {
      type: 'post',
      id: 'Ugabcdefghijklmn',
      channel: { name: 'The lab' },
      images: [{ url: 'https://pictures.example/1', thumbnails: [{ url: 'https://pictures.example/2' }] }],
      video: video(1),
    };
    const { client } = createTestClient(() => successResponse({ post }));
    const parameters = { postId: post.id, channelId };
    const [image, attached] = await collect(
      client.collection({ platform: 'p1', endpoint: 'post/details', parameters }),
    );
    expect(image).toMatchObject({ kind: 'image', author: 'The lab', url: 'https://pictures.example/1' });
    expect(attached).toMatchObject({ kind: 'video', link: { parameters: { videoId: videoId(1) } } });
  });

  it('sends the parameters that its endpoint has, and ends with the signal', async () => {
    const { client, requests } = createTestClient(threePages);
    const controller = new AbortController();
    const parameters = { lang: 'de', renderableFormats: ['all'], playlistId: 'PLother' };
    const reading = async () => {
      for await (const { index } of client.collection(playlistLink, { parameters, signal: controller.signal })) {
        if (index === 4) controller.abort(new Error('enough'));
      }
    };
    await expect(reading()).rejects.toThrow('enough');
    expect(paths(requests)).toEqual(['p1/v3/playlist?playlistId=PLabc&lang=de']);
  });
});
