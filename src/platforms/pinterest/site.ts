import { setting } from '../../settings/setting.ts';
import { desktopBrowser } from '../browsers.ts';
import { headerText, jsonChanges } from '../json-changes.ts';
import { type Headers, headerChanges } from '../request-headers.ts';

/** Request details that change with Pinterest. */
export interface Site {
  /** Value of `X-Pinterest-PWS-Handler`, which the JSON interface requires. Any handler of the site works. */
  readonly pwsHandler: string;
  /** The field set of the first request. */
  readonly fieldSet: string;
  /** The field set of the second request, sent if the first response has no story or carousel. */
  readonly detailedFieldSet: string;
  readonly userAgent: string;
  /** Headers to add to requests of the JSON interface. */
  readonly headers: Headers;
}

/**
 * Values from open source programs and recordings. The handler has been required since 2025-03. The handler and both
 * field sets were last seen to work in 2026-08.
 */
export const defaultSite: Site = {
  pwsHandler: 'www/[username].js',
  fieldSet: 'unauth_react_main_pin',
  detailedFieldSet: 'detailed',
  userAgent: desktopBrowser,
  headers: {},
};

/**
 * Maximum milliseconds per request. If the JSON interface (also on a regional host) and the page (twice) use them
 * fully, they add up to the 25 seconds of an extraction.
 */
export const budgets = { shortLink: 3_500, resource: 3_500, detailed: 3_000, page: 4_500, oembed: 2_500 } as const;

const readChanges = jsonChanges<Site>({
  pwsHandler: headerText,
  fieldSet: headerText,
  detailedFieldSet: headerText,
  userAgent: headerText,
  headers: headerChanges,
});

/** The setting that overrides parts of {@link Site}. */
export const siteSetting = setting({
  description:
    'JSON that changes the requests to p6: {"pwsHandler":"www/[username].js","fieldSet":"unauth_react_main_pin"}.',
  default: 'the built-in values',
  fallback: () => defaultSite,
  read: (text): Site => ({ ...defaultSite, ...readChanges(text) }),
});
