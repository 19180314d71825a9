/** Matches a language tag (RFC 5646), such as `de` or `pt-BR`. Tags have up to 35 characters. */
export const languageTagPattern = '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,6}$';

/** A language with a script and a region, at the start of a site's code. */
const knownSubtags =
  /^[A-Za-z]{2,3}(?:-[A-Za-z]{4}(?![A-Za-z0-9]))?(?:-(?:[A-Za-z]{2}|[0-9]{3})(?![A-Za-z0-9]))?(?![A-Za-z0-9])/;

/**
 * Converts a site's language code to a language tag: a language, its script and its region. Drops what follows, such as
 * the name of a custom track. Returns undefined if the code has no language.
 */
export function toLanguageTag(code: string | undefined): string | undefined {
  return knownSubtags.exec((code ?? '').slice(0, 100).replaceAll('_', '-'))?.[0];
}

/**
 * Returns the best match for a requested language among tags: the same tag, or else the first in the language
 * (`de` matches `de-DE`). The case does not matter.
 */
export function matchLanguage(requested: string, available: readonly string[]): string | undefined {
  const wanted = requested.toLowerCase();
  return (
    available.find((tag) => tag.toLowerCase() === wanted) ??
    available.find((tag) => tag.toLowerCase().startsWith(`${wanted}-`))
  );
}
