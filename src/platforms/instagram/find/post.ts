import { MillraceError } from '../../../contract/errors.ts';
import { nextSlice } from '../../../waiting/steps.ts';
import { withoutResponse } from '../../lesser-strategy.ts';
import type { ExtractionContext, SourceResponse } from '../../platform.ts';
import { addUnread, UnreadResponseError } from '../../unread.ts';
import { isPrivateCode, mediaIdOf, properCode } from '../links.ts';
import { parseAnswer } from '../parse/answer.ts';
import { findPostInEmbed } from '../parse/embed.ts';
import { findPostInJson, findPostInPage, type PostResult } from '../parse/find-post.ts';
import type { Session } from '../parse/page.ts';
import { noQueries, queriesInPage } from '../parse/page-queries.ts';
import type { Post } from '../parse/post.ts';
import type { PostSource } from '../parse/post-metadata.ts';
import {
  absentPost,
  gatedRefusal,
  loginPageRefusal,
  privatePost,
  refusalOf,
  unreadItem,
  withoutItem,
} from '../parse/refusal.ts';
import type { InstagramRequests } from '../requests.ts';
import { type ChainResult, type Strategy, tryStrategies } from './fallback-chain.ts';
import { openSession } from './session.ts';

/** A post, and how it was found. */
interface FoundPost extends Omit<ChainResult<PostSource, Post>, 'value'> {
  readonly post: Post;
}

/**
 * Finds a post: in its page, then by the site's queries, then in the embed page.
 *
 * @param shared The shortcode as the caller sent it.
 * @param order The sources in the order in which to try them.
 * @throws MillraceError for the site's refusal.
 */
export async function findPost(
  shared: string,
  requests: InstagramRequests,
  order: readonly string[],
  { signal, strategy }: Pick<ExtractionContext, 'signal' | 'strategy'>,
): Promise<FoundPost> {
  const code = properCode(shared);
  const mediaId = mediaIdOf(code);
  let page: SourceResponse | undefined;
  let pendingSession: Promise<Session> | undefined;
  const session = () => {
    pendingSession ??= openSession(page, requests);
    return pendingSession;
  };

  const judge = async (response: SourceResponse, result: PostResult | undefined): Promise<Post> => {
    if (result === undefined) {
      // It parses the response again.
      await nextSlice(signal);
      throw refusalOf(response, 'post');
    }
    if ('post' in result) {
      if (result.post.author.private === true) throw privatePost();
      return result.post;
    }
    if ('unread' in result) throw unreadItem('post', result.unread);
    if (result.refusal === 'absent') throw absentPost();
    if (result.refusal === 'unanswered') throw unsupportedQuery();
    if (result.refusal === 'unlisted') throw withoutItem('post');
    throw gatedRefusal(result.ruling ?? (await requestRuling(mediaId, requests, signal)));
  };
  const inJson = async (response: SourceResponse) => {
    // A query that the site no longer supports says nothing about the post.
    if (response.status === 404) throw unsupportedQuery();
    const root = parseAnswer(response.text);
    // Each of both takes tens of milliseconds for a response as large as the site may send.
    await nextSlice(signal);
    return judge(response, findPostInJson(root, code));
  };
  const run: Readonly<Record<PostSource, () => Promise<Post>>> = {
    page: async () => {
      page = await requests.page(`/p/${code}/`);
      return judge(page, findPostInPage(page.text, code));
    },
    graphql: async () => inJson(await requests.post(mediaId, code, await session())),
    clips: async () => inJson(await requests.clips(mediaId, page ? queriesInPage(page.text) : noQueries)),
    shortcode: async () => inJson(await requests.byShortcode(code, await session())),
    embed: async () => {
      const response = await requests.embed(code);
      return judge(response, playable(findPostInEmbed(response.text, code)));
    },
  };
  const strategies = order
    .flatMap((name) => requests.site.postSources.filter((source) => source === name))
    .map((source): Strategy<PostSource, Post> => ({ source, run: run[source] }));

  try {
    const { value, source, unread, failures } = await tryStrategies(strategies, { signal, strategy });
    return { post: value, source, unread: addUnread(unread, value.unread), failures };
  } catch (error) {
    if (!(error instanceof MillraceError) || signal.aborted) throw error;
    // The shortcode itself shows that the post was shared from a private account, and nothing shows that it is public.
    if (isPrivateCode(shared) && !noResponse.has(error.code) && !(error instanceof UnreadResponseError))
      throw privatePost();
    // Unlike a refusal with a reason, the login page can mean rate limiting.
    if (error.code !== 'signin_required' || !error.retryable || error.reason !== undefined) throw error;
    throw loginPageRefusal(error, await requestRuling(mediaId, requests, signal));
  }
}

/** Failures that say nothing about the post. */
const noResponse = new Set<MillraceError['code']>([...withoutResponse, 'unexpected_redirect']);

function unsupportedQuery(): MillraceError {
  return new MillraceError('non_2xx_response', 'Instagram no longer supports this query. Try again later.');
}

/** Rejects an incomplete post: the embed page omits the file of videos with licensed music. */
function playable(result: PostResult | undefined): PostResult | undefined {
  if (result === undefined || !('post' in result)) return result;
  const silent = result.post.media.some(({ isVideo, videos, manifest }) => isVideo && videos.length === 0 && !manifest);
  return silent ? undefined : result;
}

async function requestRuling(mediaId: string, requests: InstagramRequests, signal: AbortSignal): Promise<unknown> {
  try {
    return parseAnswer((await requests.ruling(mediaId)).text);
  } catch (error) {
    // The post is gated even if the ruling is missing. The ruling only gives the reason.
    if (!(error instanceof MillraceError) || signal.aborted) throw error;
    return undefined;
  }
}
