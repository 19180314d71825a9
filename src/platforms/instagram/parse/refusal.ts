import { MillraceError } from '../../../contract/errors.ts';
import { dig, type Fields, fields, isFields, text } from '../../../parsing/values.ts';
import type { SourceResponse } from '../../platform.ts';
import { parseSiteUrl } from '../../site-urls.ts';
import { type UnreadKinds, type UnreadResponseError, unreadResponse } from '../../unread.ts';
import { isInstagramHost } from '../links.ts';
import { parseAnswer } from './answer.ts';
import { routeOf } from './page-route.ts';

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
  const goal = parseSiteUrl(url);
  const path = goal?.pathname ?? '';
  const json = parseAnswer(body);
  const route = json === undefined ? routeOf(body) : { isPrivatePost: false };
  const reason = text(dig(json, 'message'));
  const words = reason === undefined ? {} : { reason: reason.slice(0, 300) };
  const verdict = (name: string) => reason === name || dig(json, 'error_type') === name;

  if (path.startsWith('/challenge') || /challenge_required|checkpoint_required/.test(reason ?? '')) {
    return new ThrottleError('Instagram requires a security check before it responds. Try again later.', words);
  }
  if (verdict('private_media')) return privatePost();
  if (verdict('login_required') && status !== 429) {
    // The site also requires a sign-in for some queries about public items, so that another strategy may succeed.
    const message = `Instagram requires a signed-in user for this ${subject}.`;
    return new MillraceError('signin_required', message, { reason: 'login_required', retryable: true });
  }
  if (status === 429 || isThrottle(status, json, reason)) {
    return new ThrottleError('Instagram is rate limiting this service. Try again in a few minutes.', words);
  }
  if (status === 404 || route.name === 'PolarisErrorRoute') {
    return new MillraceError('not_found', `This ${subject} does not exist on Instagram, or was removed.`, words);
  }
  if (brokenEmbed.test(body)) {
    // The embed page says the same if the owner has turned off embedding, so that a retry may find the post.
    const message = `Instagram says that this ${subject} was removed, or that its link is broken.`;
    return new MillraceError('not_found', message, { retryable: true });
  }
  const toLogin =
    path.startsWith('/accounts/login') || (goal !== null && isInstagramHost(goal.hostname) && path === '/');
  if (toLogin || route.name === 'PolarisCAAIGLoginHomepageRoute' || loginForm.test(body)) {
    // The site redirects rate-limited visitors to the login page too.
    const message = `Instagram requires a signed-in user for this ${subject}, or is rate limiting this service. Try again later.`;
    return new MillraceError('signin_required', message, { ...words, retryable: true });
  }
  if (route.isPrivatePost) return privatePost();
  if (status >= 400) return blocked(`Instagram returned status ${status}. Try again later.`, words);
  if (route.name?.startsWith('Polaris')) {
    const message = `Instagram returned a page without the ${subject}, which usually means rate limiting. Try again later.`;
    return new ThrottleError(message, words);
  }
  const unknown = unknownAnswer(json);
  return unknown === undefined ? withoutItem(subject, words) : unreadItem(subject, { [unknown]: 1 });
}

/** Returns the error for a response without the requested item whose format is known, or that is not complete. */
export function withoutItem(subject: Subject, words: { readonly reason?: string } = {}): MillraceError {
  const message = `Instagram returned a response without the ${subject}. Try again.`;
  return new MillraceError('invalid_response_data', message, words);
}

/** Returns the name of the last member that is an object. */
function lastObject(members: Fields): string | undefined {
  let last: string | undefined;
  for (const name in members) if (isFields(members[name])) last = name;
  return last;
}

/** Returns the name of the object in a complete JSON response that does not report an error. */
function unknownAnswer(json: unknown): string | undefined {
  const answer = fields(json);
  const isError = ['error', 'errors', 'message'].some((name) => Object.hasOwn(answer, name));
  if (json === undefined || isError) return undefined;
  const name = lastObject(fields(answer.data)) ?? lastObject(answer);
  return name?.slice(0, 80) ?? 'response';
}

// Data in pages cannot contain the following tags, because the site escapes every `<`.

/** The form of the login page. */
const loginForm = /<form\b[^<>]{0,1000}\bid="loginForm"/;

/** The place of the post in an embed page that says: "may be broken, or the post may have been removed". */
const brokenEmbed = /<div(?:\s[^<>]{0,500})?\sclass="(?:[^"<>]{0,300}\s)?EmbedBrokenMedia[\s"]/;

/** Returns the error for a response that contains the requested item in a format that no parser recognises. */
export function unreadItem(subject: Subject, unread: UnreadKinds): UnreadResponseError {
  return unreadResponse(`Instagram returned the ${subject}`, unread);
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
export function gatedRefusal(ruling: unknown): MillraceError {
  const { reason, restricted } = readRuling(ruling);
  if (restricted) return ageRestricted(reason);
  return new MillraceError('signin_required', 'Instagram requires a signed-in user for this post.', reason);
}

/**
 * Returns the error for a post whose strategies all led to the login page, based on the site's ruling on the post. If
 * visitors may see the post, the site is rate limiting; otherwise the post is restricted. Without a ruling, the error
 * is unchanged.
 */
export function loginPageRefusal(loginPage: MillraceError, ruling: unknown): MillraceError {
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
function readRuling(ruling: unknown) {
  const title = text(dig(ruling, 'title'));
  const words = [title, text(dig(ruling, 'description'))].filter((part) => part !== undefined);
  return {
    allowed: dig(ruling, 'status') === 'ok' && words.length === 0,
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
