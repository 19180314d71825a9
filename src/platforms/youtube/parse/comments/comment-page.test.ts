import { describe, expect, it } from 'vitest';
import { findComment, readCommentPage } from './comment-page.ts';

const view = (commentId: string) => ({ commentViewModel: { commentId, commentKey: `key ${commentId}` } });
const thread = (id: string, replies?: unknown) => ({
  commentThreadRenderer: { commentViewModel: view(id), replies: { commentRepliesRenderer: replies } },
});
const more = (token: string) => ({
  continuationItemRenderer: { continuationEndpoint: { continuationCommand: { token } } },
});
const showMore = (token: string) => ({
  continuationItemRenderer: { button: { buttonRenderer: { command: { continuationCommand: { token } } } } },
});
const append = (...continuationItems: readonly unknown[]) => ({
  onResponseReceivedEndpoints: [{ appendContinuationItemsAction: { continuationItems } }],
});
const entitiesOf = (...ids: readonly string[]) => ({
  frameworkUpdates: { entityBatchUpdate: { mutations: ids.map((id) => entity(id, {})) } },
});
const entity = (id: string, commentEntityPayload: unknown) => ({
  entityKey: `key ${id}`,
  payload: { commentEntityPayload },
});

describe('a page of comments', () => {
  it('has the token of further replies from `contents` or `subThreads`, even if some replies are included', () => {
    const ready = thread('b', { subThreads: [thread('c', { subThreads: [thread('d')] }), more('rest of b')] });
    const { threads, continuation } = readCommentPage({
      ...append(thread('a', { contents: [more('all of a')] }), ready, thread('e', {}), showMore('next')),
      ...entitiesOf('a', 'b', 'c', 'd', 'e'),
    });
    expect(threads).toEqual([
      { type: 'comment', id: 'a', repliesToken: 'all of a' },
      {
        type: 'comment',
        id: 'b',
        replies: [{ type: 'comment', id: 'c', replies: [{ type: 'comment', id: 'd' }] }],
        repliesToken: 'rest of b',
      },
      { type: 'comment', id: 'e' },
    ]);
    expect(continuation).toBe('next');
    expect(findComment(threads, 'd')?.id).toBe('d');
    expect(findComment(threads, 'x')).toBeUndefined();
  });

  it('has each comment once, even if threads are circular', () => {
    const page = append(thread('a', { subThreads: [thread('a'), thread('b')] }), thread('b'));
    const { threads } = readCommentPage({ ...page, ...entitiesOf('a', 'b') });
    expect(threads).toEqual([{ type: 'comment', id: 'a', replies: [{ type: 'comment', id: 'b' }] }]);
  });

  it('takes texts and counts from the entities', () => {
    const response = {
      ...append(view('a'), view('b')),
      frameworkUpdates: {
        entityBatchUpdate: {
          mutations: [
            entity('a', {
              properties: { content: { content: 'Hi' }, publishedTime: '1 day ago (edited)' },
              author: { displayName: '@gone', avatarThumbnailUrl: 'https://yt3.ggpht.com/a=s88' },
              toolbar: { likeCountNotliked: ' ', likeCountA11y: '0 likes', replyCount: '1.2K' },
            }),
            entity('b', { properties: { content: 7 }, author: [], toolbar: null }),
          ],
        },
      },
    };
    expect(readCommentPage(response).threads).toEqual([
      {
        type: 'comment',
        id: 'a',
        author: { name: '@gone', thumbnails: [{ url: 'https://yt3.ggpht.com/a=s88' }] },
        text: 'Hi',
        runs: [{ text: 'Hi' }],
        publishedText: '1 day ago (edited)',
        edited: true,
        likeCount: 0,
        likeCountText: '0 likes',
        replyCount: 1200,
        replyCountText: '1.2K',
      },
      { type: 'comment', id: 'b' },
    ]);
  });

  it('takes the author from the entity when the comment has no command that opens the channel', () => {
    const id = 'UC16niRr50-MSBwiO3YDb3RA';
    const response = {
      ...append(view('a')),
      frameworkUpdates: {
        entityBatchUpdate: {
          mutations: [
            entity('a', {
              author: { channelId: id, displayName: '@name', isVerified: true },
              toolbar: { likeCountNotliked: '1.2K' },
            }),
          ],
        },
      },
    };
    expect(readCommentPage(response).threads).toMatchObject([
      {
        likeCount: 1_200,
        likeCountText: '1.2K',
        author: { id, name: '@name', handle: '@name', url: `https://www.youtube.com/channel/${id}`, verified: true },
      },
    ]);
  });

  it('reads the badges and replies of the old format', () => {
    const old = {
      commentId: 'a',
      authorText: { simpleText: 'Somebody' },
      authorCommentBadge: { authorCommentBadgeRenderer: { icon: { iconType: 'OFFICIAL_ARTIST_BADGE' } } },
      sponsorCommentBadge: {
        sponsorCommentBadgeRenderer: {
          customBadge: { thumbnails: [{ url: 'https://yt3.ggpht.com/b=s16', width: 16, height: 16 }] },
          tooltip: 'Member (1 year)',
        },
      },
      voteCount: { simpleText: '1.2K' },
    };
    expect(readCommentPage(append({ commentRenderer: old }, showMore('next')))).toEqual({
      threads: [
        {
          type: 'comment',
          id: 'a',
          author: {
            name: 'Somebody',
            verified: true,
            isArtist: true,
            sponsor: {
              text: 'Member (1 year)',
              thumbnails: [{ url: 'https://yt3.ggpht.com/b=s16', width: 16, height: 16 }],
            },
          },
          likeCount: 1200,
          likeCountText: '1.2K',
        },
      ],
      continuation: 'next',
      messages: [],
      unread: {},
    });
  });

  it("includes the site's messages and counts unknown kinds", () => {
    const { messages, unread, threads } = readCommentPage(
      append(
        { messageRenderer: { text: { runs: [{ text: 'No comments.' }] } } },
        { newThingRenderer: {}, trackingParams: 'x' },
        { commentThreadRenderer: {} },
      ),
    );
    expect({ messages, unread, threads }).toEqual({
      messages: ['No comments.'],
      unread: { newThingRenderer: 1, commentThreadRenderer: 1 },
      threads: [],
    });
  });
});
