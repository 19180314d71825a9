import { MillraceError } from '../../../contract/errors.ts';
import type { SourceResponse } from '../../platform.ts';
import { isPrivateCode, mediaIdOf, properCode } from '../links.ts';
import { findPostInEmbed, findPostInJson, findPostInPage, type PostResult } from '../parse/find-post.ts';
import type { Session } from '../parse/page.ts';
import type { Post } from '../parse/post.ts';
import type { PostSource } from '../parse/post-metadata.ts';
import { absentPost, gatedRefusal, loginPageRefusal, privatePost, refusalOf } from '../parse/refusal.ts';
import type { InstagramRequests } from '../requests.ts';
import { tryStrategies } from './fallback-chain.ts';
import { openSession } from './session.ts';

/**
 * Finds a post: in its page, then by the site's queries, then in the embed page.
 *
 * @param shared The shortcode as the caller sent it.
 * @throws MillraceError for the site's refusal.
 */
export async function findPost(
  shared: string,
  requests: InstagramRequests,
  signal: AbortSignal,
): Promise<{ readonly post: Post; readonly source: PostSource }> {
  const code = properCode(shared);
  const mediaId = mediaIdOf(code);
  let page: SourceResponse | undefined;
  let pendingSession: Promise<Session> | undefined;
  const session = () => {
    pendingSession ??= openSession(page, requests);
    return pendingSession;
  };

  const judge = async (response: SourceResponse, result: PostResult | undefined): Promise<Post> => {
    if (result !== undefined && 'post' in result) {
      if (result.post.author.private === true) throw privatePost();
      return result.post;
    }
    if (result === undefined) throw refusalOf(response, 'post');
    throw result.refusal === 'absent' ? absentPost() : gatedRefusal(await rulingText(mediaId, requests, signal));
  };
  const inJson = async (response: SourceResponse) => {
    // A query that the site no longer supports says nothing about the post.
    if (response.status === 404)
      throw new MillraceError('non_2xx_response', 'Instagram no longer supports this query. Try again later.');
    return judge(response, findPostInJson(response.text, code));
  };

  try {
    const { value, source } = await tryStrategies<PostSource, Post>(
      [
        {
          source: 'page',
          run: async () => {
            page = await requests.page(`/p/${code}/`);
            return judge(page, findPostInPage(page.text, code));
          },
        },
        { source: 'graphql', run: async () => inJson(await requests.post(mediaId, code, await session())) },
        { source: 'clips', run: async () => inJson(await requests.clips(mediaId)) },
        { source: 'shortcode', run: async () => inJson(await requests.byShortcode(code, await session())) },
        {
          source: 'embed',
          run: async () => {
            const response = await requests.embed(code);
            return judge(response, playable(findPostInEmbed(response.text, code)));
          },
        },
      ],
      signal,
    );
    return { post: value, source };
  } catch (error) {
    if (!(error instanceof MillraceError) || signal.aborted) throw error;
    // The shortcode itself shows that the post was shared from a private account, and nothing shows that it is public.
    if (isPrivateCode(shared) && !noResponse.has(error.code)) throw privatePost();
    if (error.code !== 'signin_required' || !error.retryable) throw error;
    throw loginPageRefusal(error, await rulingText(mediaId, requests, signal));
  }
}

/** Failures without a response from the site. */
const noResponse = new Set<MillraceError['code']>(['connection_error', 'operation_timeout', 'unexpected_redirect']);

/** Rejects an incomplete post: the embed page omits the file of videos with licensed music. */
function playable(result: PostResult | undefined): PostResult | undefined {
  if (result === undefined || !('post' in result)) return result;
  const silent = result.post.media.some(({ isVideo, videos, manifest }) => isVideo && videos.length === 0 && !manifest);
  return silent ? undefined : result;
}

async function rulingText(
  mediaId: string,
  requests: InstagramRequests,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return (await requests.ruling(mediaId)).text;
  } catch (error) {
    // The post is gated even if the ruling is missing. The ruling only gives the reason.
    if (!(error instanceof MillraceError) || signal.aborted) throw error;
    return undefined;
  }
}
