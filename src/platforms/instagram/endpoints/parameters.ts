import Type from 'typebox';
import { MillraceError } from '../../../contract/errors.ts';
import { type InstagramLink, isInstagramHost, isShortcode, isUsername, recognise } from '../links.ts';
import { refusalOf } from '../parse/refusal.ts';
import type { InstagramRequests } from '../requests.ts';

/** `username`. */
export const usernameParameter = Type.String({
  description: 'Name of the account, without @, or the link of its profile.',
  examples: ['thelab'],
});

/**
 * The code that a parameter names, by itself or in a link; a short link is followed.
 *
 * @throws MillraceError `invalid_params`, `invalid_url`, `invalid_platform_url`; what following a short link throws.
 */
export async function shortcodeOf(value: string, requests: InstagramRequests): Promise<string> {
  const text = value.trim();
  if (isShortcode(text)) return text;
  const link = linkOf(text, 'shortcode', 'the code of a post, such as DdG4RIxIPyf, or the link of one');
  const goal = link?.kind === 'share' ? await follow(link.url, requests) : link;
  if (goal?.kind === 'post') return goal.code;
  throw wrongLink('shortcode', 'post');
}

/** Where a short link leads. Its target is not requested, which would count as one more visit to a page. */
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

/** The id of a sound, by itself or in a link; errors as {@link shortcodeOf}. */
export function audioIdOf(value: string): string {
  const text = value.trim();
  if (/^\d{1,25}$/.test(text)) return text;
  const link = linkOf(text, 'audioId', 'the number of a sound, or its link');
  if (link?.kind === 'audio') return link.id;
  throw wrongLink('audioId', 'sound');
}

/** The name of an account, by itself, with an @, or in a link; errors as {@link shortcodeOf}. */
export function usernameOf(value: string): string {
  const text = value.trim();
  const name = text.replace(/^@/, '');
  if (isUsername(name)) return name;
  const link = linkOf(text, 'username', 'the name of an account, such as nasa');
  if (link?.kind === 'profile') return link.username;
  throw wrongLink('username', 'profile');
}

function linkOf(text: string, parameter: string, expected: string): InstagramLink | null {
  const url = URL.parse(/^(?:www\.)?insta(?:gram\.com|gr\.am)\//i.test(text) ? `https://${text}` : text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new MillraceError('invalid_params', `${parameter} must be ${expected}.`, { parameter });
  }
  if (!isInstagramHost(url.hostname)) {
    throw new MillraceError('invalid_platform_url', `The link in ${parameter} leads to another site than Instagram.`, {
      parameter,
    });
  }
  return recognise(url.href);
}

function wrongLink(parameter: string, kind: string): MillraceError {
  return new MillraceError('invalid_url', `The link in ${parameter} is not that of a ${kind}.`, { parameter });
}
