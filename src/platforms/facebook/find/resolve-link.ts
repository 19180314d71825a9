import { MillraceError } from '../../../contract/errors.ts';
import { type FacebookLink, isSiteHost, recognise, SITE } from '../links.ts';
import { gone, rateLimited, readRefusal, wall } from '../parse/refusal.ts';
import { requestPage } from '../requests.ts';
import { type Lookup, type ReadPage, readAnswer, timeLeft, viaWeb } from './fetch-page.ts';
import { readLink } from './read-link.ts';

/** What a caller's link means, and the page that a short link led to. */
export interface Resolved {
  readonly link: Exclude<FacebookLink, { kind: 'share' }>;
  readonly page?: ReadPage;
}

/**
 * Resolves a caller's link. A short link is followed on the site, and behind a sign-in wall at its other host.
 *
 * @throws MillraceError `invalid_url`, `invalid_platform_url`; what the site refuses a short link with.
 */
export async function resolveLink(text: string, lookup: Lookup): Promise<Resolved> {
  const link = readLink(text);
  if (link.kind !== 'share') return { link };
  const { walls } = lookup;
  const resolved = (await follow(link.url, lookup)) ?? (await followAtOther(link.url, lookup));
  if (resolved !== undefined) {
    walls.recordPage('short link', link.url);
    return resolved;
  }
  throw walls.recordWall('short link', link.url) ? rateLimited() : wall().error;
}

/** The other host knows the short links of the site's own host alone. */
async function followAtOther(url: string, lookup: Lookup): Promise<Resolved | undefined> {
  return url.startsWith(`${SITE}/`) ? follow(viaWeb(url), lookup) : undefined;
}

/** Where a short link leads; undefined for a sign-in wall that does not name it. */
async function follow(url: string, lookup: Lookup): Promise<Resolved | undefined> {
  const { context, site, target: sought } = lookup;
  const answer = await requestPage(context.source, url, site.userAgent, timeLeft(lookup));
  const { hostname } = new URL(answer.url);
  if (!isSiteHost(hostname)) {
    const message = `The short link leads to ${hostname}, which is not Facebook.`;
    throw new MillraceError('invalid_url', message, { parameter: 'url' });
  }
  // A sign-in wall names the address behind it (`/login/?next=…`).
  const led = recognise(answer.url);
  const refusal = readRefusal(answer, sought);
  if (refusal?.kind === 'wall') return led === null || led.kind === 'share' ? undefined : { link: led };
  if (refusal !== undefined) throw refusal.error;
  const page = readAnswer(answer);
  const canonical = recognise(page.page.canonical ?? '');
  const target = [led, canonical].find((candidate) => candidate != null && candidate.kind !== 'share');
  if (target != null) return { link: target, page };
  throw gone(sought);
}
