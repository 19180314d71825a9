import { MillraceError } from '../../../contract/errors.ts';
import { queryParameter } from '../../../contract/query-parameters.ts';
import type { SourceClient, SourceResponse } from '../../platform.ts';
import { parseSiteUrl } from '../../site-urls.ts';
import { type PostLink, type ProfileLink, recognise, type ShortLink } from '../links.ts';
import { isLogin, pageFailure } from '../parse/refusal.ts';
import { type RequestContext, requestShortLink } from '../requests.ts';

/** The target of a short link, and the page that it led to. */
interface FollowedLink<Target> {
  readonly link: Target;
  readonly landing: SourceResponse;
}

/**
 * Follows a short link to its post or profile.
 *
 * @throws MillraceError `not_found` if it leads nowhere, `invalid_url` if it leads to something else.
 */
export async function followShortLink<Kind extends 'post' | 'profile'>(
  link: ShortLink,
  kind: Kind,
  source: SourceClient,
  requestContext: RequestContext,
): Promise<FollowedLink<Extract<PostLink | ProfileLink, { kind: Kind }>>> {
  const response = await requestShortLink(source, requestContext, link);
  const target = targetOf(response, link);
  if (target === undefined) throw deadEnd(response, link);
  if (target.kind !== kind) {
    const message = `The short link in url leads to a ${target.kind}. Send a link to a ${kind}.`;
    throw new MillraceError('invalid_url', message, { parameter: 'url' });
  }
  // Safe: the kinds were just compared.
  return { link: target as Extract<PostLink | ProfileLink, { kind: Kind }>, landing: response };
}

/** Returns the target of redirects, also behind an intermediate login page, or else the link in the page's text. */
function targetOf(response: SourceResponse, link: ShortLink): PostLink | ProfileLink | undefined {
  const { url, text } = response;
  const loginTarget = isLogin(url) ? queryParameter(parseSiteUrl(url), 'redirect_url') : undefined;
  const textLink = isUnredirected(response, link)
    ? /<a href="(https:[^"<>]{1,2000})"/.exec(text.slice(0, 10_000))?.[1]
    : undefined;
  const target = recognise(loginTarget ?? textLink ?? url);
  return target === null || target.kind === 'short' ? undefined : target;
}

/** Returns whether the response comes from the short link's own address. */
function isUnredirected({ url }: SourceResponse, link: ShortLink): boolean {
  return parseSiteUrl(url)?.pathname === parseSiteUrl(link.url)?.pathname;
}

function deadEnd(response: SourceResponse, link: ShortLink): MillraceError {
  // A response from the short link's own address may be a bot check. The site's home page means that the link does not
  // exist.
  if (isUnredirected(response, link) || isLogin(response.url)) return pageFailure(response);
  return new MillraceError('not_found', 'The short link does not lead to a post or profile; it may have been deleted.');
}
