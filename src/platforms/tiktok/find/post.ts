import { queryParameter } from '../../../contract/query-parameters.ts';
import type { ExtractionContext, SourceClient, SourceResponse } from '../../platform.ts';
import { parseSiteUrl } from '../../site-urls.ts';
import { type PostLink, postUrl, recognise } from '../links.ts';
import { type MediaAccess, mediaAccess } from '../parse/media-access.ts';
import { type PostPage, readPostPage } from '../parse/page.ts';
import { type Post, readPost } from '../parse/post.ts';
import { isLogin } from '../parse/refusal.ts';
import { requestPost } from '../requests.ts';
import { type ClientName, clientNames } from '../site.ts';
import { type Found, type Lookup, type Outcome, type Strategy, tryStrategies } from './strategies.ts';

/** The client profiles that find a post: the browsers, each of which gets another page. */
export const postStrategies: readonly string[] = clientNames;

/** A post, the strategy that found it, and the access to its media. */
export interface PostResult {
  readonly post: Post;
  readonly strategy: ClientName;
  readonly access: MediaAccess;
}

/**
 * Finds a post by its desktop page, or else by its mobile page.
 *
 * @param order The client profiles in the order in which to try them.
 * @param landing The page that a short link led a desktop browser to. It is read before any request.
 * @throws MillraceError for the site's refusal, else for an invalid response.
 */
export function findPost(
  link: PostLink,
  lookup: Lookup,
  context: ExtractionContext,
  order: readonly string[],
  landing?: SourceResponse,
): Promise<Found<PostResult>> {
  // At the address of a photo post, a desktop browser gets a page without the post.
  let first = parseSiteUrl(landing?.url ?? '')?.pathname.includes('/video/') ? landing : undefined;
  const desktop: Strategy<PostResult> = async (source) => {
    const response = first ?? (await requestPost(source, lookup, 'desktop', link));
    first = undefined;
    return await readPage(response, link, 'desktop', source, lookup);
  };
  const mobile: Strategy<PostResult> = async (source) =>
    await readPage(await requestPost(source, lookup, 'mobile', link), link, 'mobile', source, lookup);
  const strategies: Readonly<Record<ClientName, Strategy<PostResult>>> = { desktop, mobile };
  const ordered = order.flatMap((name) => clientNames.filter((client) => client === name));
  return tryStrategies(Object.fromEntries(ordered.map((name) => [name, strategies[name]])), lookup, context);
}

/** Reads a page, or the other page that it refers to. */
async function readPage(
  first: SourceResponse,
  link: PostLink,
  client: ClientName,
  source: SourceClient,
  lookup: Lookup,
): Promise<Outcome<PostResult>> {
  let response = first;
  let page = readPostPage(response);
  const again = otherAddress(response, page, link);
  if (again !== undefined) {
    response = await requestPost(source, lookup, client, again);
    page = readPostPage(response);
  }
  const { post, refusal } = readPost(response, page, link.id);
  if (refusal !== undefined) return { refusal };
  return { value: { post, strategy: client, access: mediaAccess(response, lookup.site.userAgents[client]) } };
}

/**
 * Returns another address of the same post if the page does not contain it: the one behind an optional login, or the
 * one that the page names as its own.
 */
function otherAddress(response: SourceResponse, { detail, canonical }: PostPage, link: PostLink): PostLink | undefined {
  if (isLogin(response.url)) {
    const target = recognise(queryParameter(parseSiteUrl(response.url), 'redirect_url') ?? '');
    return target?.kind === 'post' && target.id === link.id ? target : undefined;
  }
  if (detail !== undefined || canonical?.id !== link.id) return undefined;
  return postUrl(canonical) === postUrl(link) ? undefined : canonical;
}
