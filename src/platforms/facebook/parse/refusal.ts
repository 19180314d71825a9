import { MillraceError } from '../../../contract/errors.ts';
import { dig, parseJson, text } from '../../../parsing/values.ts';
import type { SourceResponse } from '../../platform.ts';
import { isSiteHost } from '../links.ts';

/** Why a page is not the requested one. */
export interface Refusal {
  readonly kind: 'sign-in wall' | 'gone' | 'failure';
  readonly error: MillraceError;
}

/** Says why a response is not the page of the requested post or profile; undefined where it may be. */
export function readRefusal(
  { status, url, text: html }: SourceResponse,
  what: 'post' | 'profile',
): Refusal | undefined {
  const { pathname: path, hostname } = new URL(url);
  if (!isSiteHost(hostname)) {
    const message = `Facebook led to ${hostname}, which is another site.`;
    return { kind: 'failure', error: new MillraceError('unexpected_redirect', message) };
  }
  if (path.startsWith('/checkpoint')) {
    return failure('Facebook wants to see a person before it answers. Try again later.');
  }
  if (/^\/login(?:\.php|\/|$)/.test(path) || isLoginPage(html)) return signInWall();
  if (status === 404 || status === 410 || isGone(html)) return { kind: 'gone', error: goneError(what) };
  if (status === 429) return { kind: 'failure', error: rateLimitError() };
  if (status < 200 || status > 299) return failure(`Facebook answered with status ${status}. Try again in a moment.`);
  return undefined;
}

/** The error for content that is deleted, private or never existed: guests cannot tell these apart. */
export function goneError(what: 'post' | 'profile'): MillraceError {
  return what === 'post'
    ? new MillraceError('unavailable', 'Facebook shows this content to guests no more: it is deleted or not public.')
    : new MillraceError('not_found', 'There is no profile at this address that guests may see.');
}

/** The error for an address that sends requests too often. */
export function rateLimitError(): MillraceError {
  return new MillraceError(
    'non_2xx_response',
    'Facebook lets this address ask no more for now. Try again in some minutes.',
  );
}

function failure(message: string): Refusal {
  return { kind: 'failure', error: new MillraceError('non_2xx_response', message) };
}

/** The site sends the same sign-in page for members-only content and to addresses that request too often. */
export function signInWall(): Refusal {
  const message =
    'Facebook asks to sign in here. The content is for members only, or guests are let in again after some minutes.';
  return { kind: 'sign-in wall', error: new MillraceError('signin_required', message, { retryable: true }) };
}

function isLoginPage(html: string): boolean {
  if (html.includes('RelayPrefetchedStreamCache')) return false;
  return (
    /<meta property="og:title" content="Log in or sign up to view"/.test(html) ||
    /<link rel="canonical" href="https:\/\/[\w.]+\/login[/."]/.test(html) ||
    /\bid="login_form"/.test(html)
  );
}

function isGone(html: string): boolean {
  return (
    html.includes('{"__dr":"CometErrorRoot.react"}') ||
    (!html.includes('RelayPrefetchedStreamCache') && /This (?:content|page) isn(?:'|’|&#039;)t available/.test(html))
  );
}

/** Reads the error in a response of `/api/graphql/`. `stale` means that the operation has another number by now. */
export function readGraphqlRefusal(
  body: string,
): { readonly stale: boolean; readonly error: MillraceError } | undefined {
  const line = body.replace(/^for \(;;\);/, '').split('\n', 1)[0] ?? '';
  const response = parseJson(line);
  const code = dig(response, 'errors', 0, 'code') ?? dig(response, 'error');
  const words = text(dig(response, 'errors', 0, 'message')) ?? text(dig(response, 'errorSummary'));
  const reason = words === undefined ? {} : { reason: words.slice(0, 500) };
  if (code === 1357001) {
    return {
      stale: false,
      error: new MillraceError('signin_required', 'Facebook asks to sign in for further pages.', reason),
    };
  }
  if (code === 1675004) {
    const message = 'Facebook gives this address no further pages for now. Try again later.';
    return { stale: false, error: new MillraceError('non_2xx_response', message, reason) };
  }
  if (typeof dig(response, 'data') === 'object' && dig(response, 'data') !== null) return undefined;
  const message = 'Facebook did not understand how its list was asked for.';
  return { stale: true, error: new MillraceError('invalid_response_data', message, reason) };
}
