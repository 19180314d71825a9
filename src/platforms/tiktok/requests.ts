import { MillraceError } from '../../contract/errors.ts';
import type { SourceClient, SourceRequest, SourceResponse } from '../platform.ts';
import { changedHeaders } from '../request-headers.ts';
import { isOfSite, type PostLink, postUrl, profileUrl, type ShortLink, SITE } from './links.ts';
import type { ClientName, Site } from './site.ts';
import type { TimeBudget } from './time-budget.ts';

const MIB = 1024 * 1024;

/** Milliseconds for each kind of request. */
const limits = { page: 7_000, small: 4_000 } as const;

/** How the requests of one extraction are sent: each as one of the clients, without cookies, within the time budget. */
export interface RequestContext {
  readonly site: Site;
  readonly budget: TimeBudget;
}

/** Requests a post's page. */
export function requestPost(
  source: SourceClient,
  context: RequestContext,
  client: ClientName,
  link: Pick<PostLink, 'id' | 'user'>,
): Promise<SourceResponse> {
  return fetchFromSite(source, pageAddress(context, postUrl(link)), request(context, client, limits.page));
}

/** Requests a user's page. */
export function requestProfile(source: SourceClient, context: RequestContext, user: string): Promise<SourceResponse> {
  return fetchFromSite(source, pageAddress(context, profileUrl(user)), request(context, 'desktop', limits.page));
}

/** Requests a user's embedded profile with the latest posts, which other sites embed. The user may have disabled it. */
export function requestEmbeddedProfile(
  source: SourceClient,
  context: RequestContext,
  user: string,
): Promise<SourceResponse> {
  return fetchFromSite(
    source,
    pageAddress(context, `${SITE}/embed/@${user}`),
    request(context, 'desktop', limits.small),
  );
}

/** Follows a short link to the page that it leads to. */
export function requestShortLink(
  source: SourceClient,
  context: RequestContext,
  { url }: ShortLink,
): Promise<SourceResponse> {
  return fetchFromSite(source, url, request(context, 'desktop', limits.page));
}

/** Requests the first bytes of a file, to detect its format. */
export function requestFirstBytes(
  source: SourceClient,
  context: RequestContext,
  url: string,
  extraHeaders: Readonly<Record<string, string>> = {},
): Promise<SourceResponse> {
  const { headers, timeout } = request(context, 'desktop', limits.small, '*/*');
  return source.get(url, {
    headers: { ...headers, ...extraHeaders, range: 'bytes=0-63', 'accept-encoding': 'identity' },
    timeout,
    maxBytes: MIB,
  });
}

/** Returns the address of a page at the site's present origin. */
function pageAddress({ site }: RequestContext, url: string): string {
  return `${site.origin}${url.slice(SITE.length)}`;
}

/** Sends a request to the site. Rejects responses from other hosts after redirects. */
async function fetchFromSite(source: SourceClient, url: string, options: SourceRequest): Promise<SourceResponse> {
  const response = await source.get(url, options);
  if (isOfSite(response.url)) return response;
  throw new MillraceError(
    'unexpected_redirect',
    'TikTok redirected the request to another site. Try again in a moment.',
  );
}

function request(
  { site, budget }: RequestContext,
  client: ClientName,
  limit: number,
  accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
) {
  return {
    headers: changedHeaders(
      { 'user-agent': site.userAgents[client], accept, 'accept-language': 'en-US,en;q=0.9' },
      site.headers[client],
    ),
    maxBytes: 4 * MIB,
    timeout: budget.step(limit),
  } satisfies SourceRequest;
}
