import { MillraceError } from '../../../contract/errors.ts';
import type { UnreadResponseError } from '../../unread.ts';
import { type FacebookLink, SITE } from '../links.ts';
import type { Page } from '../parse/page.ts';
import { type ProfileIds, readProfileIds } from '../parse/profile.ts';
import {
  bothHosts,
  fetchPages,
  type Lookup,
  type PageWithValue,
  type ParsedPage,
  type Strategies,
} from './fetch-page.ts';
import { resolveLink } from './resolve-link.ts';

/** A link to a profile. */
export type ProfileLink = Extract<FacebookLink, { kind: 'profile' }>;

/** A tab of a profile: its name in addresses with a username (`path`) and in addresses with a numeric ID (`sk`). */
export interface Tab {
  readonly path: string;
  readonly sk: string;
}

/** Tabs that the endpoints read. */
export const tabs = {
  about: { path: 'about', sk: 'about' },
  photos: { path: 'photos', sk: 'photos' },
  reels: { path: 'reels/', sk: 'reels_tab' },
  videos: { path: 'videos', sk: 'videos' },
} as const satisfies Record<string, Tab>;

/**
 * Returns the profile that a caller's link leads to.
 *
 * @throws MillraceError `invalid_url` for a link to something else.
 */
export async function readProfileLink(text: string, lookup: Lookup): Promise<ProfileLink> {
  const { link } = await resolveLink(text, lookup);
  if (link.kind === 'profile') return link;
  throw new MillraceError('invalid_url', `url leads to a ${link.kind}, but this endpoint reads profiles and pages.`, {
    parameter: 'url',
  });
}

/** Returns the address of a profile's tab. */
export function tabUrl({ url, vanity }: ProfileLink, { path, sk }: Tab): string {
  return vanity === undefined ? `${url}&sk=${sk}` : `${SITE}/${vanity}/${path}`;
}

/** The page of a profile or of one of its tabs, with the profile's IDs. */
export type OpenedProfile = PageWithValue<ProfileIds>;

/**
 * Fetches a profile, or one of its tabs.
 *
 * @throws MillraceError for the site's refusal; `not_found` for a page that is not a profile.
 */
export function openProfile(link: ProfileLink, tab: Tab | undefined, lookup: Lookup): Promise<OpenedProfile> {
  return fetchPages(tabStrategies(link, tab), ({ page, records }: ParsedPage) => readProfileIds(page, records), lookup);
}

/** Returns the addresses of a profile or of one of its tabs, on both hosts. */
export function tabStrategies(link: ProfileLink, tab: Tab | undefined): Strategies {
  return bothHosts(nameOf(tab), tab === undefined ? link.url : tabUrl(link, tab));
}

/** Returns the names of {@link tabStrategies}. */
export function tabStrategyNames(tab: Tab | undefined): readonly string[] {
  return bothHosts(nameOf(tab), SITE).map(({ name }) => name);
}

function nameOf(tab: Tab | undefined): string {
  return tab === undefined ? 'profile' : tab.sk;
}

/**
 * Handles a tab without the requested content. Returns undefined for a truncated page, whose end may have the content.
 *
 * @param unread The error for content of an unknown shape, if the tab has some.
 * @throws MillraceError that error, or else `signin_required`, because guests cannot see the content.
 */
export function withoutContent({ isComplete }: Page, what: string, unread: UnreadResponseError | undefined): undefined {
  if (!isComplete) return undefined;
  throw (
    unread ??
    new MillraceError('signin_required', `Facebook requires a signed-in user for the ${what} of this profile.`)
  );
}
