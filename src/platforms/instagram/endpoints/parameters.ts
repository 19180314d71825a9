import Type from 'typebox';
import { MillraceError } from '../../../contract/errors.ts';
import { queryParameter } from '../../../contract/query-parameters.ts';
import { readLinkParameter } from '../../link-parameter.ts';
import { namedIn } from '../../named-ids.ts';
import type { SourceResponse } from '../../platform.ts';
import { parseSiteUrl, validSiteUrl } from '../../site-urls.ts';
import {
  type InstagramLink,
  isInstagramHost,
  isShortcode,
  isUsername,
  mediaIdOf,
  properCode,
  recognise,
} from '../links.ts';
import { openGraph } from '../parse/page.ts';
import { refusalOf } from '../parse/refusal.ts';
import type { InstagramRequests } from '../requests.ts';

/** The `username` parameter. */
export const usernameParameter = Type.String({
  description: 'Username of the account, without @, or a link to its profile.',
  examples: ['thelab'],
});

type PostOrShare = Extract<InstagramLink, { kind: 'post' | 'share' }>;

const site = { site: 'Instagram', isOfSite: ({ hostname }: URL) => isInstagramHost(hostname) } as const;

/** Maximum number of requests for one short link. The first often redirects to the same address with a slash. */
const MAX_HOPS = 3;

/**
 * Returns the shortcode from a parameter that contains a shortcode or a link. Follows a short link.
 *
 * @throws MillraceError the errors of {@link readLinkParameter} and of following a short link.
 */
export async function shortcodeOf(value: string, requests: InstagramRequests): Promise<string> {
  const link = postOrShareOf(value);
  const goal = link.kind === 'share' ? await follow(link.url, requests) : link;
  if (goal.kind === 'post') return goal.code;
  throw new MillraceError('invalid_url', 'The link in shortcode does not lead to a post.', { parameter: 'shortcode' });
}

/**
 * Returns the IDs of a post: its number and its shortcode, which encodes it. The additional characters in links to posts of private
 * accounts are no part of them.
 */
export function postIds(code: string): readonly string[] {
  const shortcode = properCode(code);
  return [mediaIdOf(shortcode), shortcode];
}

/** Returns the items that a `shortcode` parameter names. */
export function postsIn(value: unknown): readonly string[] {
  return namedIn(postOrShareOf, value).flatMap((link) => (link.kind === 'post' ? postIds(link.code) : []));
}

/**
 * Returns the shortest form of a `shortcode` parameter: a shortcode, or a short link without its query.
 *
 * @throws MillraceError the errors of {@link readLinkParameter}.
 */
export function canonicalPost(value: string): string {
  const link = postOrShareOf(value);
  return link.kind === 'post' ? link.code : link.url.replace(/[?#].*/s, '');
}

function postOrShareOf(value: string): PostOrShare {
  return readLinkParameter<PostOrShare>(value, {
    ...site,
    name: 'shortcode',
    ofText: (text) => (isShortcode(text) ? { kind: 'post', code: text } : undefined),
    ofLink: (url) => {
      const meaning = recognise(url.href);
      return meaning?.kind === 'post' || meaning?.kind === 'share' ? meaning : undefined;
    },
    expected: "a post's shortcode, such as DdG4RIxIPyf, or a link to a post",
    purpose: 'lead to a post',
  });
}

/** Resolves a short link. Does not request its target, which would count as another page visit. */
async function follow(shortLink: string, requests: InstagramRequests): Promise<InstagramLink> {
  let next = shortLink;
  for (let hop = 1; ; hop += 1) {
    const response = await requests.share(next);
    const url = targetOf(response);
    if (!isInstagramHost(url.hostname)) {
      throw new MillraceError('unexpected_redirect', `The short link leads to another site, ${url.hostname}.`);
    }
    const goal = recognise(url.href) ?? recognise(afterLogin(url));
    if (goal !== null && goal.kind !== 'share') return goal;
    if (goal === null || goal.url === next || hop === MAX_HOPS) throw refusalOf({ ...response, url: url.href }, 'post');
    next = goal.url;
  }
}

/** Returns the address to which a response redirects, or else the one of which it is the page. */
function targetOf({ headers, url, text }: SourceResponse): URL {
  const location = String(headers.location ?? '');
  return parseSiteUrl(location || (openGraph(text, 'url') ?? ''), url) ?? validSiteUrl(url);
}

/** Returns the address to which the login page leads afterwards, which is the target of the link. */
function afterLogin(url: URL): string {
  const next = url.pathname.startsWith('/accounts/login') ? queryParameter(url, 'next') : undefined;
  return parseSiteUrl(next ?? '', url.origin)?.href ?? '';
}

/** Returns the ID of an audio track from its ID or link. Throws the errors of {@link readLinkParameter}. */
export function audioIdOf(value: string): string {
  return readLinkParameter(value, {
    ...site,
    name: 'audioId',
    ofText: (text) => (/^\d{1,25}$/.test(text) ? text : undefined),
    ofLink: (url) => {
      const meaning = recognise(url.href);
      return meaning?.kind === 'audio' ? meaning.id : undefined;
    },
    expected: 'the numeric ID of an audio track, or its link',
    purpose: 'lead to an audio track',
  });
}

/**
 * Returns a username from the name, with or without an @, or from a link. Throws the errors of
 * {@link readLinkParameter}.
 */
export function usernameOf(value: string): string {
  return readLinkParameter(value, {
    ...site,
    name: 'username',
    ofText: (text) => (isUsername(text.replace(/^@/, '')) ? text.replace(/^@/, '') : undefined),
    ofLink: (url) => {
      const meaning = recognise(url.href);
      return meaning?.kind === 'profile' ? meaning.username : undefined;
    },
    expected: 'the username of an account, such as nasa',
    purpose: 'lead to a profile',
  });
}

/** Returns the channels that a `username` parameter names. */
export function usernamesIn(value: unknown): readonly string[] {
  return namedIn(usernameOf, value).map((username) => `@${username}`);
}
