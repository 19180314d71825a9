import { MillraceError } from '../../../contract/errors.ts';
import { dig, parseJson, text } from '../../../parsing/values.ts';
import type { SourceResponse } from '../../platform.ts';
import { isInstagramHost } from '../links.ts';
import { routeOf } from './page.ts';

/** The kind of the requested item, in words. */
export type Subject = 'post' | 'profile' | 'sound';

/** The site turns this service away, as it does after too many visits. */
export class ThrottleError extends MillraceError {
  constructor(message: string, options: { readonly reason?: string; readonly cause?: unknown } = {}) {
    super('non_2xx_response', message, options);
  }
}

/** Makes the error for a response without the requested item. */
export function refusalOf(response: SourceResponse, subject: Subject): MillraceError {
  const { status, text: body, url } = response;
  const goal = URL.parse(url);
  const path = goal?.pathname ?? '';
  const route = routeOf(body);
  const json = parseJson(body.replace(/^for \(;;\);/, ''));
  const reason = text(dig(json, 'message'));
  const words = reason === undefined ? {} : { reason: reason.slice(0, 300) };

  if (path.startsWith('/challenge') || /challenge_required|checkpoint_required/.test(reason ?? '')) {
    return blocked('Instagram asks this service to prove that it is no robot.', words);
  }
  if (status === 429 || isThrottle(status, json, reason)) {
    return new ThrottleError('Instagram throttles this service. Try again in some minutes.', words);
  }
  if (status === 404 || route === 'PolarisErrorRoute') {
    return new MillraceError('not_found', `Instagram has no such ${subject}, or no longer.`, words);
  }
  const toLogin =
    path.startsWith('/accounts/login') || (goal !== null && isInstagramHost(goal.hostname) && path === '/');
  if (toLogin || route === 'PolarisCAAIGLoginHomepageRoute' || body.includes('id="loginForm"')) {
    // The site sends those it throttles to the same place.
    const message = `Instagram wants a sign-in for this ${subject}, or throttles. Try again later.`;
    return new MillraceError('signin_required', message, { ...words, retryable: true });
  }
  if (body.includes('polaris.privatePostPage')) return privatePost();
  if (status >= 400) return blocked(`Instagram answered with status ${status}.`, words);
  if (route !== undefined && /^PolarisLoggedOut/.test(route)) {
    const message = `Instagram sent a page without the ${subject}, as it does when it throttles. Try again later.`;
    return new ThrottleError(message, words);
  }
  return new MillraceError(
    'invalid_response_data',
    `Instagram's answer does not have the ${subject}. Try again.`,
    words,
  );
}

/** The error for a post that its owner shows to followers alone. */
export function privatePost(): MillraceError {
  return new MillraceError('unavailable', 'The account is private: only its followers see its posts.');
}

/**
 * The error for a post that is absent from an otherwise valid response: it is gone, or kept from signed-out visitors.
 * Another strategy may still have it, and so may a retry.
 */
export function absentPost(): MillraceError {
  const message = 'Instagram shows no such post to signed-out visitors: it is gone, or only for some.';
  return new MillraceError('unavailable', message, { retryable: true });
}

/** Makes the error for a gated post from the site's ruling on it. */
export function gatedRefusal(ruling: string | undefined): MillraceError {
  const { reason, restricted } = readRuling(ruling);
  if (restricted) return ageRestricted(reason);
  return new MillraceError('signin_required', 'Instagram shows this post to signed-in users only.', reason);
}

/**
 * Makes the error for a post whose strategies all led to the login page, from the site's ruling on the post: visitors
 * may see it, so that the site throttles, or they may not. Without a ruling the error stays as it is.
 */
export function loginPageRefusal(loginPage: MillraceError, ruling: string | undefined): MillraceError {
  const { reason, restricted, allowed } = readRuling(ruling);
  if (restricted) return ageRestricted(reason);
  if (reason.reason !== undefined) {
    return new MillraceError('unavailable', 'Instagram keeps this post from signed-out visitors.', reason);
  }
  if (!allowed) return loginPage;
  const message = 'Instagram asks for a sign-in though anyone may see this post: it throttles. Try again later.';
  return new ThrottleError(message, { cause: loginPage });
}

function ageRestricted(reason: { readonly reason?: string }): MillraceError {
  return new MillraceError('age_restricted', 'Instagram shows this post to adults who are signed in.', reason);
}

/** Reads a ruling: `status` is "ok" where visitors may see the post, else `title` and `description` say why not. */
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

/** Throttling comes as 401 as often as not, with a wish to sign in (seen 2026-10). */
function isThrottle(status: number, json: unknown, reason: string | undefined): boolean {
  if (/please wait a few minutes|feedback_required/i.test(reason ?? '')) return true;
  return (status === 401 || status === 403) && dig(json, 'require_login') === true;
}

function blocked(message: string, words: { reason?: string }): MillraceError {
  return new MillraceError('non_2xx_response', message, words);
}
