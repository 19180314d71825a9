import { setting } from '../../settings/setting.ts';
import { jsonChanges, textLike } from '../json-changes.ts';

/** Everything about the requests that changes with Pinterest. */
export interface Site {
  /** Value of `X-Pinterest-PWS-Handler`, without which the JSON interface refuses; any handler of the site serves. */
  readonly pwsHandler: string;
  /** The set of fields of the first request. */
  readonly fieldSet: string;
  /** The set of the second request, where the first response has no story or carousel. */
  readonly detailedFieldSet: string;
  readonly userAgent: string;
}

/**
 * As open source programs of the field and recordings show them. The handler has been needed since 2025-03 and was last
 * seen to work in 2026-08, both sets of fields too; the browser is that of the other platforms.
 */
export const defaultSite: Site = {
  pwsHandler: 'www/[username].js',
  fieldSet: 'unauth_react_main_pin',
  detailedFieldSet: 'detailed',
  userAgent:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
};

/**
 * Milliseconds that each request may take. With all of them taken, the JSON interface (at a regional host too) and the
 * page twice, they come to the 25 seconds of an extraction.
 */
export const budgets = { shortLink: 3_500, resource: 3_500, detailed: 3_000, page: 4_500, oembed: 2_500 } as const;

const visibleText = textLike(/^[\x20-\x7e]{1,300}$/);

const readChanges = jsonChanges<Site>({
  pwsHandler: visibleText,
  fieldSet: visibleText,
  detailedFieldSet: visibleText,
  userAgent: visibleText,
});

/** The setting that changes members of the site. */
export const siteSetting = setting({
  description:
    'JSON that changes how p6 is asked: {"pwsHandler":"www/[username].js","fieldSet":"unauth_react_main_pin"}.',
  default: 'the built-in values',
  fallback: () => defaultSite,
  read: (text): Site => ({ ...defaultSite, ...readChanges(text) }),
});
