import { setting } from '../../settings/setting.ts';
import { desktopBrowser } from '../browsers.ts';
import { headerText, httpsOrigin, jsonChanges, type MemberReader, membersOf } from '../json-changes.ts';
import { type Headers, headerChanges } from '../request-headers.ts';
import { isOfSite, SITE } from './links.ts';

/** The browsers that requests identify as. TikTok serves them different pages of a post. */
export const clientNames = ['desktop', 'mobile'] as const;

/** A name of {@link clientNames}. */
export type ClientName = (typeof clientNames)[number];

/** Request details that change with TikTok. */
export interface Site {
  /** The origin of pages. */
  readonly origin: string;
  readonly userAgents: Readonly<Record<ClientName, string>>;
  /** Further headers of each client. */
  readonly headers: Readonly<Record<ClientName, Headers>>;
}

/**
 * Ordinary browsers of 2026. The desktop one gets the richest page (last seen 2026-07-16), in 2026-08 only with a
 * `Referer` (yt-dlp 17437). The mobile one gets a separate page with fewer fields (last seen 2026-05-01), but more
 * reliably, according to field notes of 2026-09.
 */
export const defaultSite: Site = {
  origin: SITE,
  userAgents: {
    desktop: desktopBrowser,
    mobile:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
      'Version/18.5 Mobile/15E148 Safari/604.1',
  },
  headers: { desktop: { referer: `${SITE}/` }, mobile: {} },
};

const readUserAgents = jsonChanges<Site['userAgents']>({ desktop: headerText, mobile: headerText });

/** The setting that changes user agents. */
export const userAgentSetting = setting({
  description:
    'JSON that changes the user agents of requests to p4: {"desktop":"Mozilla/5.0 …","mobile":"Mozilla/5.0 …"}.',
  default: 'the built-in values',
  fallback: () => defaultSite.userAgents,
  read: (text): Site['userAgents'] => ({ ...defaultSite.userAgents, ...readUserAgents(text) }),
});

/** Reads an origin of the site. */
const siteOrigin: MemberReader<string> = (value, member) => {
  const origin = httpsOrigin(value, member);
  if (isOfSite(origin)) return origin;
  throw new Error(`must have an origin of tiktok.com such as https://m.tiktok.com as ${member}`);
};

interface SiteChanges {
  readonly origin: string;
  readonly headers: Partial<Site['headers']>;
}

const readSite = jsonChanges<SiteChanges>({
  origin: siteOrigin,
  headers: membersOf<Site['headers']>({ desktop: headerChanges, mobile: headerChanges }),
});

/** The setting that changes the origin and the headers. */
export const siteSetting = setting({
  description:
    'JSON that changes the requests to p4: {"origin":"https://m.tiktok.com","headers":{"desktop":{"referer":"…"}}}.',
  default: 'the built-in values',
  fallback: (): Omit<Site, 'userAgents'> => defaultSite,
  read(text): Omit<Site, 'userAgents'> {
    const { origin = defaultSite.origin, headers: { desktop, mobile } = {} } = readSite(text);
    const { headers } = defaultSite;
    return {
      origin,
      headers: { desktop: { ...headers.desktop, ...desktop }, mobile: { ...headers.mobile, ...mobile } },
    };
  },
});
