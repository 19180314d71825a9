import Type from 'typebox';
import { MillraceError } from '../../../contract/errors.ts';
import { webUrl } from '../../link-target.ts';
import { isOfSite, recognise, type ShortLink, SITE, type SiteLink } from '../links.ts';

/** Creates an endpoint's `url` parameter. */
export function urlParameter(description: string, example: string) {
  return Type.String({ maxLength: 2_048, description, examples: [example] });
}

/**
 * Reads the `url` parameter.
 *
 * @param kind The endpoint's subject. Short links may lead to either kind.
 * @throws MillraceError `invalid_url` or `invalid_platform_url`.
 */
export function readLink<Kind extends 'post' | 'profile'>(
  value: string,
  kind: Kind,
): Extract<SiteLink, { kind: Kind }> | ShortLink {
  const text = value.trim();
  if (webUrl(text) === null) throw linkError('invalid_url', 'is not a link', kind);
  if (!isOfSite(text)) throw linkError('invalid_platform_url', 'is a link to another platform', kind);
  const link = recognise(text);
  if (link?.kind === 'short') return link;
  if (link?.kind !== kind) throw linkError('invalid_url', `does not lead to a ${kind}`, kind);
  // Safe: the kinds were just compared.
  return link as Extract<SiteLink, { kind: Kind }>;
}

const examples = { post: `${SITE}/@name/video/7608826249200356630`, profile: `${SITE}/@name` } as const;

function linkError(code: 'invalid_url' | 'invalid_platform_url', what: string, kind: keyof typeof examples) {
  const message = `The value of url ${what}. Send a link to a TikTok ${kind}, such as ${examples[kind]}.`;
  return new MillraceError(code, message, { parameter: 'url' });
}
