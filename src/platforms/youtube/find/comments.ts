import { defined, unlessEmpty } from '../../../parsing/values.ts';
import type { Extraction, Pages } from '../../platform.ts';
import type { Comment, CommentPage } from '../parse/comments/comment.ts';
import { readCommentPage } from '../parse/comments/comment-page.ts';
import { readLocalisedComments } from '../parse/comments/localised-comments.ts';
import { unknownKindNotes } from '../parse/localised-page.ts';
import type { Innertube } from '../requests/innertube.ts';

/** Comments of a video are had from `next`, those of a post from `browse`. */
type CommentEndpoint = 'next' | 'browse';

/** The comments or replies that a token of the site leads to. */
export async function fetchComments(
  innertube: Innertube,
  endpoint: CommentEndpoint,
  continuation: string,
): Promise<CommentPage> {
  return readCommentPage(await innertube.request(endpoint, { continuation }));
}

/**
 * The first page of comments.
 *
 * @param explain Asks the page of the video or post what it says in place of comments, where the site answers with
 *   nothing at all, as it does where comments are turned off.
 */
export async function fetchFirstComments(
  innertube: Innertube,
  endpoint: CommentEndpoint,
  continuation: string,
  explain: () => Promise<readonly string[]>,
): Promise<CommentPage> {
  const page = readLocalisedComments(await innertube.requestLocalised(endpoint, { continuation }));
  const isEmpty = page.header === undefined && page.threads.length === 0 && page.messages.length === 0;
  return isEmpty ? { ...page, messages: await explain() } : page;
}

/** A page of comments as an extraction: its tokens as page tokens, and what the site says in place of comments as a note. */
export function commentsExtraction(page: CommentPage, pages: Pages): Extraction {
  const { header, threads, continuation, messages } = page;
  return {
    metadata: {
      comments: {
        ...defined({ header }),
        threads: threads.map((thread) => withPageTokens(thread, pages)),
        nextToken: pages.token(continuation),
      },
    },
    ...defined({ notes: unlessEmpty([...messages, ...unknownKindNotes(page)]) }),
  };
}

function withPageTokens({ replies, repliesToken, ...comment }: Comment, pages: Pages): Comment {
  return {
    ...comment,
    ...defined({
      replies: replies?.map((reply) => withPageTokens(reply, pages)),
      repliesToken: pages.token(repliesToken) ?? undefined,
    }),
  };
}
