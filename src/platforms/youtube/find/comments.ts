import { mergedSubjects, noSubjects, type Subjects } from '../../../contract/subjects.ts';
import { defined } from '../../../parsing/values.ts';
import type { Extraction, Pages } from '../../platform.ts';
import type { Comment, CommentPage } from '../parse/comments/comment.ts';
import { requireCommentPage, unreadCommentsError } from '../parse/comments/comment-page.ts';
import { readLocalisedComments } from '../parse/comments/localised-comments.ts';
import { channelInToken } from '../requests/comment-tokens.ts';
import type { Innertube } from '../requests/innertube.ts';

/** The InnerTube endpoint for comments: `next` for those of a video, `browse` for those of a post. */
type CommentEndpoint = 'next' | 'browse';

/**
 * Fetches the comments or replies that a token of the site leads to.
 *
 * @throws UnreadResponseError if the response has no list that can be read.
 */
export async function fetchComments(
  innertube: Innertube,
  endpoint: CommentEndpoint,
  continuation: string,
): Promise<CommentPage> {
  const page = requireCommentPage(await innertube.request(endpoint, { continuation }));
  if (page === undefined) throw unreadCommentsError({ empty: 1 });
  return page;
}

/**
 * Fetches the first page of comments.
 *
 * @param explain Fetches the messages of the video's or post's page. Called if the site's response is empty, as it is
 * when comments are turned off.
 * @throws UnreadResponseError if the response has no list that can be read.
 */
export async function fetchFirstComments(
  innertube: Innertube,
  endpoint: CommentEndpoint,
  continuation: string,
  explain: () => Promise<readonly string[]>,
): Promise<CommentPage> {
  const page = readLocalisedComments(await innertube.requestLocalised(endpoint, { continuation }));
  return page ?? { threads: [], messages: await explain(), unread: {} };
}

/**
 * Converts a page of comments to an extraction. Its tokens become page tokens; the site's messages become notes.
 *
 * @param findChannel Finds the channel of the video or post. Called if no page states it, which is rare: replies of any
 * comment do.
 */
export async function commentsExtraction(
  page: CommentPage,
  pages: Pages,
  findChannel: () => Promise<Subjects>,
): Promise<Extraction> {
  const { header, threads, continuation, messages, unread } = page;
  const known = [pages.subjects ?? noSubjects, page.subjects ?? noSubjects, channelOf(page, pages.cursor)];
  const stated = mergedSubjects(...known);
  const isKnown = threads.length === 0 || stated.channels.length > 0;
  const subjects = isKnown ? stated : await findChannel();
  const token = (cursor: string | undefined) => pages.token(cursor, subjects);
  return {
    metadata: {
      comments: {
        ...defined({ header }),
        threads: threads.map((thread) => withPageTokens(thread, token)),
        nextToken: token(continuation),
      },
    },
    subjects,
    notes: messages,
    unread,
  };
}

function withPageTokens(
  { replies, repliesToken, ...comment }: Comment,
  token: (cursor: string | undefined) => string | null,
): Comment {
  return {
    ...comment,
    ...defined({
      replies: replies?.map((reply) => withPageTokens(reply, token)),
      repliesToken: token(repliesToken) ?? undefined,
    }),
  };
}

/**
 * Returns the channel of the video or post, as the tokens of replies and the comments of the channel itself state it.
 *
 * @param token The token that led to the page.
 */
export function channelOf({ threads, continuation }: CommentPage, token?: string): Subjects {
  const comments = threads.flatMap((thread) => [thread, ...(thread.replies ?? [])]);
  const tokens = [token, continuation, ...comments.map(({ repliesToken }) => repliesToken)];
  const own = comments.flatMap(({ author }) => (author?.isCreator === true ? [author.id, author.handle] : []));
  const named = tokens.map((each) => (each === undefined ? undefined : channelInToken(each)));
  return mergedSubjects({ channels: [...named, ...own].filter((name) => name !== undefined) });
}
