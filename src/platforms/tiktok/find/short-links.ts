import { MillraceError } from '../../../contract/errors.ts';
import type { SourceClient, SourceResponse } from '../../platform.ts';
import { type PostLink, type ProfileLink, recognise, type ShortLink } from '../links.ts';
import { isLogin, pageFailure } from '../parse/refusal.ts';
import { type RequestContext, requestShortLink } from '../requests/pages.ts';

/** Where a short link leads, and the page that it led to. */
export interface FollowedLink<Target> {
  readonly link: Target;
  readonly landing: SourceResponse;
}

/**
 * Follows a short link to the post or the profile that it leads to.
 *
 * @throws MillraceError `not_found` where it leads nowhere, `invalid_url` where it leads to something else.
 */
export async function followShortLink<Kind extends 'post' | 'profile'>(
  link: ShortLink,
  kind: Kind,
  source: SourceClient,
  requestContext: RequestContext,
): Promise<FollowedLink<Extract<PostLink | ProfileLink, { kind: Kind }>>> {
  const answer = await requestShortLink(source, requestContext, link);
  const target = targetOf(answer, link);
  if (target === undefined) throw deadEnd(answer, link);
  if (target.kind !== kind) {
    const message = `The short link in url leads to a ${target.kind}. Send a link of a ${kind}.`;
    throw new MillraceError('invalid_url', message, { parameter: 'url' });
  }
  // Its kind was just compared.
  return { link: target as Extract<PostLink | ProfileLink, { kind: Kind }>, landing: answer };
}

/** Where redirects have led; behind a login that stands in between; else where the page says it would lead. */
function targetOf(answer: SourceResponse, link: ShortLink): PostLink | ProfileLink | undefined {
  const { url, text } = answer;
  const behind = isLogin(url) ? URL.parse(url)?.searchParams.get('redirect_url') : undefined;
  const words = stayed(answer, link) ? /<a href="(https:[^"<>]{1,2000})"/.exec(text.slice(0, 10_000))?.[1] : undefined;
  const target = recognise(behind ?? words ?? url);
  return target === null || target.kind === 'short' ? undefined : target;
}

/** Whether the short address itself has answered. */
function stayed({ url }: SourceResponse, link: ShortLink): boolean {
  return URL.parse(url)?.pathname === URL.parse(link.url)?.pathname;
}

function deadEnd(answer: SourceResponse, link: ShortLink): MillraceError {
  // An answer from the short address may be a check for robots; the site's front page means that there is no such link.
  if (stayed(answer, link) || isLogin(answer.url)) return pageFailure(answer);
  return new MillraceError('not_found', 'The short link leads to no post or profile; it may have been deleted.');
}
