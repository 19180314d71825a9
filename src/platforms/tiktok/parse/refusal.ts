import { type ErrorCode, MillraceError } from '../../../contract/errors.ts';
import type { SourceResponse } from '../../platform.ts';
import { parseSiteUrl } from '../../site-urls.ts';
import { type UnreadKinds, unreadResponse } from '../../unread.ts';
import type { Detail } from './page.ts';

const MAX_REASON = 500;

/** The site's refusal of a post or a user. */
export interface Refusal {
  readonly error: MillraceError;
  /** Whether the site may respond differently to visitors from another country. */
  readonly elsewhere: boolean;
}

interface Verdict {
  readonly code: ErrorCode;
  readonly message: string;
  readonly elsewhere?: boolean;
}

const notFound: Verdict = {
  code: 'not_found',
  message: 'This post does not exist on TikTok; it may have been deleted.',
};
const geoBlocked: Verdict = {
  code: 'unavailable',
  message: 'The post is not available in the country of this request.',
  elsewhere: true,
};

/** Meanings of the site's status codes, independent of their texts. */
const byCode: Readonly<Record<number, Verdict>> = {
  10216: { code: 'unavailable', message: 'The post is private.' },
  10221: { code: 'not_found', message: 'TikTok has no user with this name.' },
  10222: { code: 'unavailable', message: 'The account is private.' },
  10231: geoBlocked,
};

/** Meanings of the texts of status 10204. */
const byWords: Readonly<Record<string, Verdict>> = {
  // The site also sends this to visitors whose IP address it distrusts.
  "item doesn't exist": { ...notFound, elsewhere: true },
  status_deleted: notFound,
  status_self_see: { code: 'unavailable', message: 'The post is visible only to its author.' },
  status_reviewing: { code: 'unavailable', message: 'The post is under review.' },
  status_audit_not_pass: { code: 'unavailable', message: 'TikTok rejected the post.' },
  cross_border_violation: geoBlocked,
  copyright_geo_filter: geoBlocked,
  person_geo_fencing: geoBlocked,
};

/** Reads the status of a detail. Returns undefined if the site displays the post or user. */
export function refusalOf({ statusCode, statusMessage = '' }: Detail): Refusal | undefined {
  if (statusCode === 0) return undefined;
  const { code, message, elsewhere = false } = verdictOf(statusCode, statusMessage.toLowerCase());
  const reason = statusMessage.slice(0, MAX_REASON).toWellFormed();
  return { error: new MillraceError(code, message, reason === '' ? {} : { reason }), elsewhere };
}

function verdictOf(statusCode: number, words: string): Verdict {
  if (words.includes('content_classification')) return adultsOnly;
  const meaning = byCode[statusCode];
  if (meaning !== undefined) return meaning;
  if (statusCode === 10204) {
    if (words === '') return { ...notFound, elsewhere: true };
    if (Object.hasOwn(byWords, words)) return byWords[words] ?? notFound;
  }
  return { code: 'unavailable', message: `TikTok does not make this content available (status ${statusCode}).` };
}

const adultsOnly: Verdict = { code: 'age_restricted', message: 'The post is for adults only.' };

/** Returns the error for a post that the site has classified as adults-only. */
export function ageRestricted(): MillraceError {
  return new MillraceError(adultsOnly.code, adultsOnly.message);
}

/**
 * Returns the error for a page without the requested data.
 *
 * @param page The details on the page that no parser knows. A complete page with one has changed its shape. A shell has
 * none: the site sends it in place of the page that it withholds, so another attempt may succeed.
 */
export function pageFailure(
  { status, url, text: html }: SourceResponse,
  { unread }: { readonly unread: UnreadKinds } = { unread: {} },
): MillraceError {
  if (isLogin(url)) {
    return new MillraceError('signin_required', 'TikTok requires a signed-in user for this content.');
  }
  if (status === 404 || status === 410) {
    return new MillraceError('not_found', 'TikTok has no page at this address.');
  }
  const isServed = status >= 200 && status <= 299;
  if (isServed && Object.keys(unread).length > 0) {
    return unreadResponse('TikTok returned the page', unread);
  }
  const what = isServed ? kindOf(html) : `status ${status}`;
  return new MillraceError('non_2xx_response', `TikTok returned ${what}. Try again in a moment.`);
}

/** Returns whether an address is that of the login page. */
export function isLogin(url: string): boolean {
  return /^\/login(?:\/|$)/.test(parseSiteUrl(url)?.pathname ?? '');
}

/** Maximum length of the pages that check for bots. Pages with data are several times as long. */
const MAX_CHECK = 60_000;

/** Elements of the bot check of TikTok's firewall, in the form of 2026 and in earlier ones. */
const botCheck = /"slardarClient":"SlardarWAF"|<\w+ id="cs"|\bwci="/;

/** The title or the container of a captcha. */
const captcha = /"title":"tiktok-verify-page"|<title>tiktok-verify-page<|(?:id|class)="captcha[\w-]*"/;

/** Describes a page with a status of success. Every such page leads to the same error. */
function kindOf(html: string): string {
  if (html.length > MAX_CHECK) return 'a page without data';
  if (botCheck.test(html)) return 'a bot check';
  return captcha.test(html) ? 'a captcha' : 'a page without data';
}
