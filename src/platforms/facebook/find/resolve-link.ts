import { MillraceError } from '../../../contract/errors.ts';
import { validSiteUrl } from '../../site-urls.ts';
import { SuspectedOutageError } from '../../suspected-outage.ts';
import { type FacebookLink, isSiteHost, recognise, SITE } from '../links.ts';
import { goneError, rateLimitError, readRefusal, signInWall } from '../parse/refusal.ts';
import { requestPage } from '../requests.ts';
import { type Lookup, type ParsedPage, parsePage, timeLeft, viaWeb, withoutValue } from './fetch-page.ts';
import { readLink } from './read-link.ts';

/** The meaning of a caller's link, and the page that a short link led to. */
interface ResolvedLink {
  readonly link: Exclude<FacebookLink, { kind: 'share' }>;
  readonly page?: ParsedPage;
}

/**
 * Resolves a caller's link. Follows a short link on the site or, behind a sign-in wall, on its other host.
 *
 * @throws MillraceError `invalid_url`, `invalid_platform_url`, or the error for the site's refusal of a short link.
 */
export async function resolveLink(text: string, lookup: Lookup): Promise<ResolvedLink> {
  const link = readLink(text);
  if (link.kind !== 'share') return { link };
  const { signInWalls } = lookup;
  const target = (await follow(link.url, lookup)) ?? (await followAtOther(link.url, lookup));
  if (target !== undefined) {
    signInWalls.recordPage('short link', link.url);
    return target;
  }
  const meaning = signInWalls.recordWall('short link', link.url);
  if (meaning === 'members only') throw signInWall().error;
  const { code, message } = rateLimitError();
  throw meaning === 'limit' ? rateLimitError() : new SuspectedOutageError(code, message);
}

/** Follows a short link on the site's other host, which only resolves short links of the main host. */
async function followAtOther(url: string, lookup: Lookup): Promise<ResolvedLink | undefined> {
  return url.startsWith(`${SITE}/`) ? follow(viaWeb(url), lookup) : undefined;
}

/** Returns the target of a short link, or undefined for a sign-in wall that does not name the target. */
async function follow(url: string, lookup: Lookup): Promise<ResolvedLink | undefined> {
  const { context, site, target } = lookup;
  const response = await requestPage(context.source, url, site, timeLeft(lookup));
  const { hostname } = validSiteUrl(response.url);
  if (!isSiteHost(hostname)) {
    const message = `The short link leads to ${hostname}, which is not Facebook.`;
    throw new MillraceError('invalid_url', message, { parameter: 'url' });
  }
  // The address of a sign-in wall contains the requested address (`/login/?next=…`).
  const landing = recognise(response.url);
  const refusal = readRefusal(response, target);
  if (refusal?.kind === 'sign-in wall')
    return landing === null || landing.kind === 'share' ? undefined : { link: landing };
  if (refusal !== undefined) throw refusal.error;
  const page = parsePage(response);
  const canonical = recognise(page.page.canonical ?? '');
  const link = [landing, canonical].find((candidate) => candidate != null && candidate.kind !== 'share');
  if (link != null) return { link, page };
  if (page.page.results.length > 0) throw goneError(target);
  throw withoutValue(page, target).error;
}
