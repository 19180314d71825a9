import { MillraceError } from '../../../contract/errors.ts';
import { dig, parseJson, text } from '../../../parsing/values.ts';
import type { SourceResponse } from '../../platform.ts';
import { isInstagramHost } from '../links.ts';
import { routeOf } from './page.ts';

/** The kind of the requested item, as used in messages. */
export type Subject = 'post' | 'profile' | 'audio track';

/** The error when the site rejects this service's requests, as it does after too many visits. */
export class ThrottleError extends MillraceError {
  constructor(message: string, options: { readonly reason?: string; readonly cause?: unknown } = {}) {
    super('non_2xx_response', message, options);
  }
}

/** Returns the error for a response without the requested item. */
export function refusalOf(response: SourceResponse, subject: Subject): MillraceError {
  const { status, text: body, url } = response;
  const goal = URL.parse(url);
  const path = goal?.pathname ?? '';
  const route = routeOf(body);
  const json = parseJson(body.replace(/^for \(;;\);/, ''));
  const reason = text(dig(json, 'message'));
  const words = reason === undefined ? {} : { reason: reason.slice(0, 300) };

  if (path.startsWith('/challenge') || /challenge_required|checkpoint_required/.test(reason ?? '')) {
    return blocked('Instagram requires a security check before it responds. Try again later.', words);
  }
  if (status === 429 || isThrottle(status, json, reason)) {
    return new ThrottleError('Instagram is rate limiting this service. Try again in a few minutes.', words);
  }
  if (status === 404 || route === 'PolarisErrorRoute') {
    return new MillraceError('not_found', `This ${subject} does not exist on Instagram, or was removed.`, words);
  }
  const toLogin =
    path.startsWith('/accounts/login') || (goal !== null && isInstagramHost(goal.hostname) && path === '/');
  if (toLogin || route === 'PolarisCAAIGLoginHomepageRoute' || body.includes('id="loginForm"')) {
    // The site redirects rate-limited visitors to the login page too.
    const message = `Instagram requires a signed-in user for this ${subject}, or is rate limiting this service. Try again later.`;
    return new MillraceError('signin_required', message, { ...words, retryable: true });
  }
  if (body.includes('polaris.privatePostPage')) return privatePost();
  if (status >= 400) return blocked(`Instagram returned status ${status}. Try again later.`, words);
  if (route !== undefined && /^PolarisLoggedOut/.test(route)) {
    const message = `Instagram returned a page without the ${subject}, which usually means rate limiting. Try again later.`;
    return new ThrottleError(message, words);
  }
  return new MillraceError(
    'invalid_response_data',
    `Instagram returned a response without the ${subject}. Try again.`,
    words,
  );
}

/** Returns the error for a post that only its owner's followers can see. */
export function privatePost(): MillraceError {
  return new MillraceError('unavailable', 'The account is private, so only its followers can see its posts.');
}

/**
 * Returns the error for a post that is absent from an otherwise valid response: it was removed, or is withheld from
 * signed-out visitors. Another strategy or a retry may still find it.
 */
export function absentPost(): MillraceError {
  const message =
    'Instagram does not show this post to signed-out visitors: it was removed, or its audience is restricted.';
  return new MillraceError('unavailable', message, { retryable: true });
}

/** Returns the error for a gated post, based on the site's ruling on it. */
export function gatedRefusal(ruling: string | undefined): MillraceError {
  const { reason, restricted } = readRuling(ruling);
  if (restricted) return ageRestricted(reason);
  return new MillraceError('signin_required', 'Instagram requires a signed-in user for this post.', reason);
}

/**
 * Returns the error for a post whose strategies all led to the login page, based on the site's ruling on the post. If
 * visitors may see the post, the site is rate limiting; otherwise the post is restricted. Without a ruling, the error
 * is unchanged.
 */
export function loginPageRefusal(loginPage: MillraceError, ruling: string | undefined): MillraceError {
  const { reason, restricted, allowed } = readRuling(ruling);
  if (restricted) return ageRestricted(reason);
  if (reason.reason !== undefined) {
    return new MillraceError('unavailable', 'Instagram does not show this post to signed-out visitors.', reason);
  }
  if (!allowed) return loginPage;
  const message =
    'Instagram requires a sign-in although this post is public, which means rate limiting. Try again later.';
  return new ThrottleError(message, { cause: loginPage });
}

function ageRestricted(reason: { readonly reason?: string }): MillraceError {
  return new MillraceError('age_restricted', 'Instagram shows this post only to signed-in adults.', reason);
}

/**
 * Reads a ruling. `status` is "ok" if visitors may see the post; otherwise `title` and `description` give the reason.
 */
function readRuling(ruling: string | undefined) {
  const verdict = parseJson(ruling ?? '');
  const title = text(dig(verdict, 'title'));
  const words = [title, text(dig(verdict, 'description'))].filter((part) => part !== undefined);
  return {
    allowed: dig(verdict, 'status') === 'ok' && words.length === 0,
    restricted: /restricted/i.test(title ?? ''),
    reason: words.length === 0 ? {} : { reason: words.join(': ').slice(0, 300) },
  };
}

/**
 * Returns whether a response means rate limiting. Such a response often has status 401 and requests a sign-in (seen
 * 2026-10).
 */
function isThrottle(status: number, json: unknown, reason: string | undefined): boolean {
  if (/please wait a few minutes|feedback_required/i.test(reason ?? '')) return true;
  return (status === 401 || status === 403) && dig(json, 'require_login') === true;
}

function blocked(message: string, words: { reason?: string }): MillraceError {
  return new MillraceError('non_2xx_response', message, words);
}
