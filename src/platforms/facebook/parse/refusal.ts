import { MillraceError } from '../../../contract/errors.ts';
import { dig, list, text } from '../../../parsing/values.ts';
import type { SourceResponse } from '../../platform.ts';
import { parseSiteJson } from '../../reading.ts';
import { validSiteUrl } from '../../site-urls.ts';
import { isSiteHost } from '../links.ts';
import { readRoute } from './route.ts';

/** The reason why a page is not the requested one. */
export interface Refusal {
  readonly kind: 'sign-in wall' | 'gone' | 'failure';
  readonly error: MillraceError;
}

/** Returns why a response is not the page of the requested post or profile, or undefined if it may be that page. */
export function readRefusal(
  { status, url, text: html }: SourceResponse,
  what: 'post' | 'profile',
): Refusal | undefined {
  const { pathname: path, hostname } = validSiteUrl(url);
  if (!isSiteHost(hostname)) {
    const message = `Facebook redirected the request to another site, ${hostname}.`;
    return { kind: 'failure', error: new MillraceError('unexpected_redirect', message) };
  }
  if (path.startsWith('/checkpoint')) {
    return failure('Facebook requires a security check before it responds. Try again later.');
  }
  if (/^\/login(?:\.php|\/|$)/.test(path) || isLoginPage(html)) return signInWall();
  if (status === 404 || status === 410 || isGone(html)) return { kind: 'gone', error: goneError(what) };
  if (status === 429) return { kind: 'failure', error: rateLimitError() };
  if (status < 200 || status > 299) return failure(`Facebook returned status ${status}. Try again in a moment.`);
  return undefined;
}

/** Returns the error for content that is deleted, private or never existed. Guests cannot distinguish these cases. */
export function goneError(what: 'post' | 'profile'): MillraceError {
  return what === 'post'
    ? new MillraceError(
        'unavailable',
        'Facebook does not show this content to guests: it was deleted or is not public.',
      )
    : new MillraceError('not_found', 'No profile at this address is visible to guests.');
}

/** Returns the error for an IP address that sends too many requests. */
export function rateLimitError(): MillraceError {
  return new MillraceError(
    'non_2xx_response',
    'Facebook is rate limiting this IP address. Try again in a few minutes.',
  );
}

function failure(message: string): Refusal {
  return { kind: 'failure', error: new MillraceError('non_2xx_response', message) };
}

/**
 * Returns the sign-in wall failure. The site sends the same sign-in page for members-only content and to IP addresses
 * that send too many requests.
 */
export function signInWall(): Refusal {
  const message =
    'Facebook requires a signed-in user: the content is for members only, or this IP address is rate limited. Try again in a few minutes.';
  return { kind: 'sign-in wall', error: new MillraceError('signin_required', message, { retryable: true }) };
}

/**
 * Returns whether a page is the sign-in page. Other pages for guests contain its form as well (seen 2025), but also
 * a route, which a truncated page may lack.
 */
function isLoginPage(html: string): boolean {
  if (hasContent(html)) return false;
  const head = html.slice(0, Math.max(html.indexOf('</head>'), 0));
  return (
    /<meta property="og:title" content="Log in or sign up to view"/.test(head) ||
    /<link rel="canonical" href="https:\/\/[\w.]+\/login[/."]/.test(head) ||
    (html.slice(-2000).includes('</html>') && /\bid="login_form"/.test(html))
  );
}

/** Returns whether a page is the site's ruling that there is no such content: its error page, or a page of plain text. */
function isGone(html: string): boolean {
  return (
    readRoute(html)?.root === 'CometErrorRoot.react' ||
    (!hasContent(html) && />\s?This (?:content|page) isn(?:'|’|&#039;)t available/.test(html))
  );
}

/** Returns whether a page shows something of the site, rather than a form or a message. */
function hasContent(html: string): boolean {
  return readRoute(html) !== undefined || html.includes('RelayPrefetchedStreamCache');
}

/** Reads the error in an `/api/graphql/` response. `stale` means that the operation's document ID has changed. */
export function readGraphqlRefusal(
  body: string,
): { readonly stale: boolean; readonly error: MillraceError } | undefined {
  const line = body.replace(/^for \(;;\);/, '').split('\n', 1)[0] ?? '';
  const response = parseSiteJson(line);
  const code = dig(response, 'errors', 0, 'code') ?? dig(response, 'error');
  const messages = list(dig(response, 'errors')).map((error) => text(dig(error, 'message')));
  // The message is known from other programs (2026-10).
  const denial = messages.find((message) => message !== undefined && /Unauthorized logged out query/i.test(message));
  const words = denial ?? messages[0] ?? text(dig(response, 'errorSummary'));
  const reason = words === undefined ? {} : { reason: words.slice(0, 500) };
  if (code === 1357001 || denial !== undefined) {
    return {
      stale: false,
      error: new MillraceError('signin_required', 'Facebook requires a signed-in user for further pages.', reason),
    };
  }
  if (code === 1675004) {
    const message = 'Facebook is rate limiting requests for further pages. Try again later.';
    return { stale: false, error: new MillraceError('non_2xx_response', message, reason) };
  }
  if (typeof dig(response, 'data') === 'object' && dig(response, 'data') !== null) return undefined;
  const message = 'Facebook did not accept the request for a further page.';
  return { stale: true, error: new MillraceError('invalid_response_data', message, reason) };
}
