import { setting } from '../../settings/setting.ts';
import { androidBrowser, desktopBrowser } from '../browsers.ts';
import { headerText, jsonChanges, membersOf } from '../json-changes.ts';
import { type Headers, headerChanges } from '../request-headers.ts';

/** A device type that the site serves. A video can be unavailable on one of them. */
export type Device = 'desktop' | 'mobile';

/** Request details that change with Dailymotion. */
export interface Site {
  readonly userAgents: Readonly<Record<Device, string>>;
  /** Headers to add to every request. */
  readonly headers: Headers;
}

/**
 * Maximum milliseconds to wait for the legacy REST interface, which has had no guarantee of existence since API v2 was
 * published (2026).
 */
export const FACTS_TIMEOUT_MS = 2_500;

/** Ordinary browsers of 2026. */
export const defaultSite: Site = {
  userAgents: { desktop: desktopBrowser, mobile: androidBrowser },
  headers: {},
};

interface SiteChanges {
  readonly userAgents: Partial<Site['userAgents']>;
  readonly headers: Headers;
}

const readChanges = jsonChanges<SiteChanges>({
  userAgents: membersOf<Site['userAgents']>({ desktop: headerText, mobile: headerText }),
  headers: headerChanges,
});

/** The setting that overrides parts of {@link Site}. */
export const siteSetting = setting({
  description:
    'JSON that changes the requests to p5: {"userAgents":{"desktop":"Mozilla/5.0 …"},"headers":{"priority":"…"}}.',
  default: 'the built-in values',
  fallback: () => defaultSite,
  read(text): Site {
    const { userAgents, headers = defaultSite.headers } = readChanges(text);
    return { userAgents: { ...defaultSite.userAgents, ...userAgents }, headers };
  },
});
