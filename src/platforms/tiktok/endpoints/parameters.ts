import Type from 'typebox';
import { MillraceError } from '../../../contract/errors.ts';
import { noSubjects, type Subjects } from '../../../contract/subjects.ts';
import { readLinkParameter } from '../../link-parameter.ts';
import { namedIn } from '../../named-ids.ts';
import { isOfSite, postUrl, recognise, recogniseId, type ShortLink, SITE, type SiteLink } from '../links.ts';

/** The subject of an endpoint. */
type Kind = 'post' | 'profile';

/** Creates an endpoint's `url` parameter. */
export function urlParameter(description: string, example: string) {
  return Type.String({ maxLength: 5_000, description, examples: [example] });
}

/**
 * Reads the `url` parameter: a link within any text, the ID of a post, or `@name`.
 *
 * @param kind The endpoint's subject. Short links may lead to either kind.
 * @throws MillraceError the errors of {@link readLinkParameter}, with `invalid_url` for a text without a link.
 */
export function readLink<K extends Kind>(value: string, kind: K): Extract<SiteLink, { kind: K }> | ShortLink {
  const link = meaningOf(value, kind);
  if (link.kind === 'short') return link;
  if (link.kind !== kind) throw wrongKind(kind);
  // Safe: the kinds were just compared.
  return link as Extract<SiteLink, { kind: K }>;
}

/**
 * Returns the shortest form of the `url` parameter of a post: its link, with the name if the parameter has one, or a
 * short link.
 *
 * @throws MillraceError the errors of {@link readLink}.
 */
export function canonicalPost(value: string): string {
  const link = readLink(value, 'post');
  return link.kind === 'short' ? link.url : postUrl({ id: link.id, user: link.user ?? '' });
}

/** Returns the meaning of the first link of the site, or else of a text without links. */
function meaningOf(value: string, kind: Kind): SiteLink {
  return readLinkParameter<SiteLink>(value, {
    name: 'url',
    site: 'TikTok',
    ofText: (text) => recogniseId(text) ?? undefined,
    isOfSite: ({ href }) => isOfSite(href),
    ofLink: (url) => recognise(url.href) ?? undefined,
    expected: `or contain a link such as ${examples[kind]}`,
    purpose: `lead to a ${kind}, such as ${examples[kind]}`,
    codeWithoutLink: 'invalid_url',
  });
}

/** Returns the subjects of a `url` parameter. Any name in front of a post's ID leads to the post. */
export function subjectsOfUrl(value: unknown, kind: Kind): Subjects {
  const [link] = namedIn((text) => readLink(text, kind), value);
  switch (link?.kind) {
    case 'post':
      return { items: [link.id], channels: link.user === undefined ? [] : [`@${link.user}`] };
    case 'profile':
      return { channels: [`@${link.user}`] };
    default:
      return noSubjects;
  }
}

const examples = { post: `${SITE}/@name/video/7608826249200356630`, profile: `${SITE}/@name` } as const;
const endpoints = { post: '/p4/v3/post/details', profile: '/p4/v3/user/details' } as const;

function wrongKind(kind: Kind): MillraceError {
  const other = kind === 'post' ? 'profile' : 'post';
  const message = `The value of url leads to a ${other}. Use ${endpoints[other]}, or send a link such as ${examples[kind]}.`;
  return new MillraceError('invalid_url', message, { parameter: 'url' });
}
