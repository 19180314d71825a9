import type { ExtractionContext, SourceClient, SourceResponse } from '../../platform.ts';
import { type PostLink, postUrl, recognise } from '../links.ts';
import { type MediaAccess, mediaAccess } from '../parse/media-access.ts';
import { type PostPage, readPostPage } from '../parse/page.ts';
import { type Post, readPost } from '../parse/post.ts';
import { isLogin } from '../parse/refusal.ts';
import { requestPost } from '../requests/pages.ts';
import type { ClientName } from '../site.ts';
import { type Lookup, type Outcome, type Strategy, tryStrategies } from './strategies.ts';

/** A post, the strategy that found it, and the access to its media. */
export interface FoundPost {
  readonly post: Post;
  readonly strategy: ClientName;
  readonly access: MediaAccess;
}

/**
 * Finds a post by its page for desktops, else by the one for phones.
 *
 * @param landing The page that a short link led a desktop to: it is read before any request.
 * @throws MillraceError the site's refusal, else the fault of its responses.
 */
export function findPost(
  link: PostLink,
  lookup: Lookup,
  context: ExtractionContext,
  landing?: SourceResponse,
): Promise<{ readonly value: FoundPost; readonly source: SourceClient }> {
  // Under the address of a photo post a desktop gets a page without the post.
  let first = landing?.url.includes('/video/') ? landing : undefined;
  const desktop: Strategy<FoundPost> = async (source) => {
    const answer = first ?? (await requestPost(source, lookup, 'desktop', link));
    first = undefined;
    return await readPage(answer, link, 'desktop', source, lookup);
  };
  const mobile: Strategy<FoundPost> = async (source) =>
    await readPage(await requestPost(source, lookup, 'mobile', link), link, 'mobile', source, lookup);
  return tryStrategies([desktop, mobile], lookup, context);
}

/** Reads a page, or the one that it sends us to. */
async function readPage(
  first: SourceResponse,
  link: PostLink,
  client: ClientName,
  source: SourceClient,
  lookup: Lookup,
): Promise<Outcome<FoundPost>> {
  let answer = first;
  let page = readPostPage(answer);
  const again = otherAddress(answer, page, link);
  if (again !== undefined) {
    answer = await requestPost(source, lookup, client, again);
    page = readPostPage(answer);
  }
  const { post, refusal } = readPost(answer, page, link.id);
  if (refusal !== undefined) return { refusal };
  return { value: { post, strategy: client, access: mediaAccess(answer, lookup.site.userAgents[client]) } };
}

/**
 * Another address to ask the same post at, where the page has no post: the one behind a login that only nudges, or the
 * one that the page names as its own.
 */
function otherAddress(answer: SourceResponse, { detail, canonical }: PostPage, link: PostLink): PostLink | undefined {
  if (isLogin(answer.url)) {
    const behind = recognise(URL.parse(answer.url)?.searchParams.get('redirect_url') ?? '');
    return behind?.kind === 'post' && behind.id === link.id ? behind : undefined;
  }
  if (detail !== undefined || canonical?.id !== link.id) return undefined;
  return postUrl(canonical) === postUrl(link) ? undefined : canonical;
}
