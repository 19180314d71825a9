import { MillraceError } from '../../contract/errors.ts';
import type { SourceAnswer, SourceClient, SourceRequest } from '../platform.ts';
import type { Budget } from './budget.ts';
import type { ClientName, UserAgents } from './clients.ts';
import { isOfSite, type PostLink, postUrl, profileUrl, type ShortLink } from './links.ts';
import type { Pause } from './pause.ts';

const SITE = 'https://www.tiktok.com';
const MIB = 1024 * 1024;

/** Milliseconds for each kind of question. */
const limits = { page: 7_000, small: 4_000 } as const;

/** Asks the site as one of the clients, each time without any cookie, within the time of the extraction. */
export interface Site {
  readonly userAgents: UserAgents;
  readonly budget: Budget;
  /** Between two tries of a whole chain of questions. */
  readonly pause: Pause;
}

/** Asks for the page of a post. */
export function requestPost(
  source: SourceClient,
  site: Site,
  client: ClientName,
  link: Pick<PostLink, 'id' | 'user'>,
): Promise<SourceAnswer> {
  return ask(source, postUrl(link), request(site, client, limits.page));
}

/** Asks for the page of a user. */
export function requestProfile(source: SourceClient, site: Site, user: string): Promise<SourceAnswer> {
  return ask(source, profileUrl(user), request(site, 'desktop', limits.page));
}

/** Asks for the box that other sites embed of a user, with the latest posts. The user may have turned it off. */
export function requestEmbeddedProfile(source: SourceClient, site: Site, user: string): Promise<SourceAnswer> {
  return ask(source, `${SITE}/embed/@${user}`, request(site, 'desktop', limits.small));
}

/** Follows a short link to the page that it leads to. */
export function requestShortLink(source: SourceClient, site: Site, { url }: ShortLink): Promise<SourceAnswer> {
  return ask(source, url, request(site, 'desktop', limits.page));
}

/** Asks for the beginning of a file, to see what it is. */
export function requestBeginning(
  source: SourceClient,
  site: Site,
  url: string,
  needed: Readonly<Record<string, string>> = {},
): Promise<SourceAnswer> {
  const { headers, timeout } = request(site, 'desktop', limits.small, '*/*');
  return source.get(url, {
    headers: { ...headers, ...needed, range: 'bytes=0-63', 'accept-encoding': 'identity' },
    timeout,
    maxBytes: MIB,
  });
}

/** Asks the site, whose answers come from its own hosts alone, wherever redirects lead. */
async function ask(source: SourceClient, url: string, options: SourceRequest): Promise<SourceAnswer> {
  const answer = await source.get(url, options);
  if (isOfSite(answer.url)) return answer;
  throw new MillraceError('unexpected_redirect', 'TikTok leads away from its own pages. Try again in a moment.');
}

function request(
  { userAgents, budget }: Site,
  client: ClientName,
  limit: number,
  accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
) {
  return {
    headers: { 'user-agent': userAgents[client], accept, 'accept-language': 'en-US,en;q=0.9' },
    maxBytes: 8 * MIB,
    timeout: budget.step(limit),
  } satisfies SourceRequest;
}
