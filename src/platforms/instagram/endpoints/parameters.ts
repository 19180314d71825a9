import Type from 'typebox';
import { MillraceError } from '../../../contract/errors.ts';
import { type InstagramLink, isInstagramHost, isShortcode, isUsername, recognise } from '../links.ts';
import { refusalOf } from '../parse/refusal.ts';
import type { InstagramRequests } from '../requests.ts';

/** The `username` parameter. */
export const usernameParameter = Type.String({
  description: 'Username of the account, without @, or the link to its profile.',
  examples: ['thelab'],
});

/**
 * Returns the shortcode from a parameter that contains a shortcode or a link. Follows a short link.
 *
 * @throws MillraceError `invalid_params`, `invalid_url`, `invalid_platform_url`; also the errors of following a short
 * link.
 */
export async function shortcodeOf(value: string, requests: InstagramRequests): Promise<string> {
  const text = value.trim();
  if (isShortcode(text)) return text;
  const link = linkOf(text, 'shortcode', "a post's shortcode, such as DdG4RIxIPyf, or a post's link");
  const goal = link?.kind === 'share' ? await follow(link.url, requests) : link;
  if (goal?.kind === 'post') return goal.code;
  throw wrongLink('shortcode', 'a post');
}

/** Resolves a short link. Does not request its target, which would count as another page visit. */
async function follow(shortLink: string, requests: InstagramRequests): Promise<InstagramLink> {
  const response = await requests.share(shortLink);
  const url = URL.parse(String(response.headers.location ?? ''), response.url) ?? new URL(response.url);
  if (!isInstagramHost(url.hostname)) {
    throw new MillraceError('unexpected_redirect', `The short link leads to another site, ${url.hostname}.`);
  }
  const goal = recognise(url.href);
  if (goal !== null && goal.kind !== 'share') return goal;
  throw refusalOf({ ...response, url: url.href }, 'post');
}

/** Returns the ID of an audio track from its ID or link; throws the same errors as {@link shortcodeOf}. */
export function audioIdOf(value: string): string {
  const text = value.trim();
  if (/^\d{1,25}$/.test(text)) return text;
  const link = linkOf(text, 'audioId', 'the numeric ID of an audio track, or its link');
  if (link?.kind === 'audio') return link.id;
  throw wrongLink('audioId', 'an audio track');
}

/**
 * Returns a username from the name, with or without an @, or from a link; throws the same errors as
 * {@link shortcodeOf}.
 */
export function usernameOf(value: string): string {
  const text = value.trim();
  const name = text.replace(/^@/, '');
  if (isUsername(name)) return name;
  const link = linkOf(text, 'username', 'the username of an account, such as nasa');
  if (link?.kind === 'profile') return link.username;
  throw wrongLink('username', 'a profile');
}

function linkOf(text: string, parameter: string, expected: string): InstagramLink | null {
  const url = URL.parse(/^(?:www\.)?insta(?:gram\.com|gr\.am)\//i.test(text) ? `https://${text}` : text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new MillraceError('invalid_params', `${parameter} must be ${expected}.`, { parameter });
  }
  if (!isInstagramHost(url.hostname)) {
    throw new MillraceError(
      'invalid_platform_url',
      `The link in ${parameter} leads to another platform. Send an Instagram link.`,
      {
        parameter,
      },
    );
  }
  return recognise(url.href);
}

function wrongLink(parameter: string, target: string): MillraceError {
  return new MillraceError('invalid_url', `The link in ${parameter} does not lead to ${target}.`, { parameter });
}
