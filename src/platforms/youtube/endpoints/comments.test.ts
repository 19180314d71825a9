import { describe, expect, it } from 'vitest';
import { fields } from '../../../parsing/values.ts';
import type { EndpointParameters } from '../../platform.ts';
import { fakeSite, type Reply, type SeenRequest } from '../../testing/fake-site.ts';
import { createYoutube } from '../index.ts';
import { postCommentsToken, videoCommentsToken } from '../requests/comment-tokens.ts';
import { encodeMessage, encodeParams } from '../requests/protobuf.ts';

const videoId = 'dQw4w9WgXcQ';
const channelId = 'UC16niRr50-MSBwiO3YDb3RA';
const postId = 'UgkxSvWRZtiCPAdVhqpAt7PCYPZ7c-Sf-gzx';
const commentId = 'UgwSOM0QHBLysE3vZE54AaABAg';
/** The token of the replies to a comment, which contains the channel of the video. */
const replies = encodeParams([6, encodeMessage([3, encodeMessage([2, commentId], [5, channelId], [6, videoId])])]);

const more = (token: string) => ({
  continuationItemRenderer: { continuationEndpoint: { continuationCommand: { token } } },
});
const thread = (id: string, list?: unknown) => ({
  commentThreadRenderer: {
    comment: { commentRenderer: { commentId: id } },
    ...(list === undefined ? {} : { replies: { commentRepliesRenderer: list } }),
  },
});
const append = (...continuationItems: readonly unknown[]) => ({
  onResponseReceivedEndpoints: [{ appendContinuationItemsAction: { continuationItems } }],
});
const header = (...titles: readonly string[]) => ({
  commentsHeaderRenderer: {
    countText: { runs: [{ text: '5,103' }, { text: ' Comments' }] },
    sortMenu: {
      sortFilterSubMenuRenderer: { subMenuItems: titles.map((title, at) => ({ title, selected: at === 0 })) },
    },
  },
});
const firstPage = append(
  header('Top', 'Newest', 'Oldest'),
  thread(commentId, { contents: [more(replies)] }),
  more('page 2'),
);
const watchPage = (...contents: readonly unknown[]) => ({
  contents: { twoColumnWatchNextResults: { results: { results: { contents } } } },
});
const section = (...contents: readonly unknown[]) => ({
  itemSectionRenderer: { sectionIdentifier: 'comment-item-section', contents },
});
const turnedOff = { messageRenderer: { text: { simpleText: 'Comments are turned off.' } } };
const invalid = { error: { code: 400, message: 'Request contains an invalid argument.', status: 'INVALID_ARGUMENT' } };

type Respond = (request: { readonly continuation?: string; readonly hl: string; readonly body: object }) => unknown;

async function extract(path: string, parameters: EndpointParameters, respond: Respond, cursor?: string) {
  const endpoint = createYoutube().endpoints.find((one) => one.path === path);
  if (endpoint === undefined) throw new Error(`there is no endpoint ${path}`);
  const reply = ({ body }: SeenRequest): Reply => {
    const requestBody = fields(body);
    const hl = String(fields(fields(requestBody.context).client).hl);
    const { continuation } = requestBody;
    const response = respond({ ...(typeof continuation === 'string' ? { continuation } : {}), hl, body: requestBody });
    return response === invalid ? { status: 400, body: response } : { body: response };
  };
  const site = fakeSite(reply, cursor === undefined ? {} : { cursor });
  const requestedTokens = () =>
    site.requests.map(({ url, body }) => [url.pathname.split('/').at(-1), fields(body).continuation]);
  return { requestedTokens, ...(await endpoint.extract(parameters, site.context)) };
}

describe('/video/comments', () => {
  const comments = (parameters: EndpointParameters, respond: Respond, cursor?: string) =>
    extract('/video/comments', { videoId, ...parameters }, respond, cursor);

  it('returns the first page after one request', async () => {
    const { metadata, notes, requestedTokens } = await comments({}, () => firstPage);
    expect(requestedTokens()).toEqual([['next', videoCommentsToken(videoId, 'TOP_COMMENTS')]]);
    expect(metadata.comments).toEqual({
      header: {
        count: 5103,
        countText: '5,103 Comments',
        sortOrders: [
          { sortBy: 'TOP_COMMENTS', title: 'Top', selected: true },
          { sortBy: 'NEWEST_FIRST', title: 'Newest', selected: false },
          { title: 'Oldest', selected: false },
        ],
      },
      threads: [{ type: 'comment', id: commentId, repliesToken: replies }],
      nextToken: 'page 2',
    });
    expect(notes).toEqual([]);
  });

  it('requests another sort order, and names in another language', async () => {
    const translation = append(header('Beliebteste', 'Neueste', 'Älteste'));
    const { metadata, requestedTokens } = await comments({ sortBy: 'NEWEST_FIRST', lang: 'de' }, ({ hl }) =>
      hl === 'de' ? translation : firstPage,
    );
    expect(requestedTokens()).toEqual(Array(2).fill(['next', videoCommentsToken(videoId, 'NEWEST_FIRST')]));
    expect(metadata.comments).toMatchObject({
      header: { count: 5103, sortOrders: [{ title: 'Beliebteste' }, { title: 'Neueste' }, { title: 'Älteste' }] },
      threads: [{ id: commentId }],
    });
  });

  it('returns the next page, and the replies of a thread, by their tokens', async () => {
    const { metadata, requestedTokens } = await comments({ lang: 'de' }, () => append(thread('b')), replies);
    expect(requestedTokens()).toEqual([['next', replies]]);
    expect(metadata.comments).toEqual({ threads: [{ type: 'comment', id: 'b' }], nextToken: null });
  });

  it('returns the replies to a comment by its ID', async () => {
    const { metadata, requestedTokens } = await comments({ commentId }, ({ continuation }) =>
      continuation === replies ? append(thread('reply'), more('more replies')) : firstPage,
    );
    expect(requestedTokens()).toEqual([
      ['next', videoCommentsToken(videoId, 'TOP_COMMENTS', commentId)],
      ['next', replies],
    ]);
    expect(metadata.comments).toEqual({ threads: [{ type: 'comment', id: 'reply' }], nextToken: 'more replies' });
  });

  it('returns replies that arrived with the comment, without sending another request', async () => {
    const ready = append(thread(commentId, { subThreads: [thread('reply'), more(replies)] }));
    const { metadata, requestedTokens } = await comments({ commentId }, () => ready);
    expect(requestedTokens()).toHaveLength(1);
    expect(metadata.comments).toEqual({ threads: [{ type: 'comment', id: 'reply' }], nextToken: replies });
    const none = await comments({ commentId }, () => append(thread(commentId)));
    expect(none.metadata.comments).toEqual({ threads: [], nextToken: null });
  });

  it('states the channel of the video, from its page if no comment has replies', async () => {
    const { subjects } = await comments({}, () => firstPage);
    expect(subjects).toEqual({ items: [], channels: [channelId] });
    const browseEndpoint = { browseId: channelId, canonicalBaseUrl: '/@theirs' };
    const title = { runs: [{ text: 'Theirs', navigationEndpoint: { browseEndpoint } }] };
    const owned = watchPage({ videoSecondaryInfoRenderer: { owner: { videoOwnerRenderer: { title } } } });
    const respond: Respond = ({ continuation }) => (continuation === undefined ? owned : append(thread('b')));
    const own = { channels: [channelId, '@theirs'] };
    for (const cursor of [undefined, 'page 2']) {
      const without = await comments({}, respond, cursor);
      expect([without.subjects, without.requestedTokens().length]).toEqual([own, 2]);
    }
    expect(
      (await comments({ commentId }, ({ continuation }) => (continuation === replies ? append() : firstPage))).subjects,
    ).toMatchObject({ channels: [channelId] });
  });

  it('reports a comment that does not exist', async () => {
    const extraction = comments({ commentId }, () => append(thread('other')));
    await expect(extraction).rejects.toMatchObject({ code: 'not_found' });
  });

  it('returns an empty list with a note when comments are turned off', async () => {
    const { metadata, notes, requestedTokens } = await comments({}, ({ continuation }) =>
      continuation === undefined ? watchPage(section(turnedOff)) : {},
    );
    expect(metadata.comments).toEqual({ threads: [], nextToken: null });
    expect(notes).toEqual(['Comments are turned off.']);
    expect(requestedTokens()).toEqual([
      ['next', videoCommentsToken(videoId, 'TOP_COMMENTS')],
      ['next', undefined],
    ]);
    const atOnce = await comments({}, () => append(turnedOff));
    expect([atOnce.notes, atOnce.requestedTokens().length]).toEqual([['Comments are turned off.'], 1]);
  });

  it.each<[string, object, string]>([
    [
      'a video that is gone',
      watchPage({ itemSectionRenderer: { contents: [{ backgroundPromoRenderer: {} }] } }),
      'not_found',
    ],
    ['no video', {}, 'invalid_response_data'],
    ['a page with comments', watchPage(section(more('c'))), 'invalid_response_data'],
  ])('rejects an empty response about %s', async (_name, page, code) => {
    const extraction = comments({}, ({ continuation }) => (continuation === undefined ? page : {}));
    await expect(extraction).rejects.toMatchObject({ code });
  });

  it('rejects comments of which none can be read, and counts those of which some cannot', async () => {
    const view = {
      commentThreadRenderer: { commentViewModel: { commentViewModel: { commentId: 'a', commentKey: 'k' } } },
    };
    const rejected = { code: 'invalid_response_data', unread: { commentThreadRenderer: 1 } };
    await expect(comments({}, () => append(view))).rejects.toMatchObject(rejected);
    await expect(comments({ commentId }, () => append(view))).rejects.toMatchObject(rejected);
    const renamed = { onResponseReceivedEndpoints: [{ addComments: { continuationItems: [thread('a')] } }] };
    await expect(comments({}, () => renamed)).rejects.toMatchObject({ unread: { addComments: 1 } });
    await expect(comments({}, () => ({ responseContext: {} }), 'page 2')).rejects.toMatchObject({
      code: 'invalid_response_data',
    });
    const { metadata, unread } = await comments({}, () => append(thread('b'), view, { commentV2: {} }));
    expect(metadata.comments).toMatchObject({ threads: [{ id: 'b' }] });
    expect(unread).toEqual({ commentThreadRenderer: 1, commentV2: 1 });
  });

  it('rejects a token that the site no longer accepts', async () => {
    const extraction = comments({}, () => invalid, 'old');
    await expect(extraction).rejects.toMatchObject({ code: 'invalid_token', parameter: 'nextToken' });
    await expect(comments({}, () => invalid)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('/post/comments', () => {
  const comments = (parameters: EndpointParameters, respond: Respond, cursor?: string) =>
    extract('/post/comments', { postId, channelId, ...parameters }, respond, cursor);
  const post = { backstagePostThreadRenderer: { post: { backstagePostRenderer: { postId } } } };

  it('returns the first page and the following ones', async () => {
    const { metadata, requestedTokens } = await comments({}, () => firstPage);
    expect(requestedTokens()).toEqual([['browse', postCommentsToken(channelId, postId, 'TOP_COMMENTS')]]);
    expect(metadata.comments).toMatchObject({
      header: { count: 5103 },
      threads: [{ id: commentId, repliesToken: replies }],
      nextToken: 'page 2',
    });
    const next = await comments({ sortBy: 'NEWEST_FIRST' }, () => append(thread('b')), replies);
    expect(next.requestedTokens()).toEqual([['browse', replies]]);
    expect(next.metadata.comments).toEqual({ threads: [{ type: 'comment', id: 'b' }], nextToken: null });
  });

  it("returns an empty list with a note when the post's comments are turned off", async () => {
    const { metadata, notes } = await comments({}, ({ continuation }) =>
      continuation === undefined ? { contents: { items: [post, section(turnedOff)] } } : {},
    );
    expect(metadata.comments).toEqual({ threads: [], nextToken: null });
    expect(notes).toEqual(['Comments are turned off.']);
  });

  it('reports a post that does not exist', async () => {
    const message = { messageRenderer: { text: { simpleText: 'This post is gone.' } } };
    const extraction = comments({}, ({ continuation }) =>
      continuation === undefined ? { contents: { items: [message] } } : {},
    );
    await expect(extraction).rejects.toMatchObject({ code: 'not_found', reason: 'This post is gone.' });
    await expect(comments({}, () => ({}))).rejects.toMatchObject({ code: 'invalid_response_data' });
  });
});
