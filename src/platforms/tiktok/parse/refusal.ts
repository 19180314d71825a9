import { type ErrorCode, MillraceError } from '../../../contract/errors.ts';
import type { SourceResponse } from '../../platform.ts';
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

const notFound: Verdict = { code: 'not_found', message: 'TikTok has no such post; it may have been deleted.' };
const geoBlocked: Verdict = {
  code: 'unavailable',
  message: 'The post is not shown in the country that was asked from.',
  elsewhere: true,
};

/** What the site's status codes mean, whatever words come with them. */
const byCode: Readonly<Record<number, Verdict>> = {
  10216: { code: 'unavailable', message: 'The post is private.' },
  10221: { code: 'not_found', message: 'TikTok has no user of this name.' },
  10222: { code: 'unavailable', message: 'The account is private.' },
  10231: geoBlocked,
};

/** What the words of status 10204 mean. */
const byWords: Readonly<Record<string, Verdict>> = {
  // The site says this also to visitors whose address it does not like.
  "item doesn't exist": { ...notFound, elsewhere: true },
  status_deleted: notFound,
  status_self_see: { code: 'unavailable', message: 'The post is shown to its author alone.' },
  status_reviewing: { code: 'unavailable', message: 'The post is under review.' },
  status_audit_not_pass: { code: 'unavailable', message: 'The post was rejected by TikTok.' },
  cross_border_violation: geoBlocked,
  copyright_geo_filter: geoBlocked,
  person_geo_fencing: geoBlocked,
};

/** Reads the status of a detail; undefined where the site shows the post or the user. */
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
  return { code: 'unavailable', message: `TikTok does not show it (status ${statusCode}).` };
}

const adultsOnly: Verdict = { code: 'age_restricted', message: 'The post is shown to grown-up users alone.' };

/** The error for a post that the site has classified for grown-ups. */
export function ageRestricted(): MillraceError {
  return new MillraceError(adultsOnly.code, adultsOnly.message);
}

/** Makes the error for a page without the requested data. */
export function pageFailure({ status, url, text: html }: SourceResponse): MillraceError {
  if (isLogin(url)) {
    return new MillraceError('signin_required', 'TikTok shows this to signed-in users only.');
  }
  if (status === 404 || status === 410) {
    return new MillraceError('not_found', 'TikTok has nothing at this address.');
  }
  return new MillraceError('non_2xx_response', `TikTok answered with ${kindOf(status, html)}. Try again in a moment.`);
}

/** Whether an address is that of the login page. */
export function isLogin(url: string): boolean {
  return /^\/login(?:\/|$)/.test(URL.parse(url)?.pathname ?? '');
}

function kindOf(status: number, html: string): string {
  // The check of TikTok's firewall, in the forms of 2026 and before; both come with status 200.
  if (/SlardarWAF|\bid="cs"|\bwci="/.test(html)) return 'a check for robots';
  if (status < 200 || status > 299) return `status ${status}`;
  if (html.length < 100_000 && /captcha|\bverify\b/i.test(html)) return 'a captcha';
  return 'a page without data';
}
