import { matchLanguage } from '../contract/language-tag.ts';
import type { RenderSource } from './render-sources.ts';

/** Maximum number of languages that an error lists. */
const MAX_LISTED_LANGUAGES = 30;

/** The sources of each requested language, or why one is missing. */
export type SourcesByLanguage = { readonly groups: readonly RenderSource[][] } | { readonly error: string };

/**
 * Groups sources by the requested languages. Each group has only the best version in its language, such as the original
 * without its audio description.
 *
 * @param languages Requested language tags, at least one.
 */
export function sourcesInLanguages(sources: readonly RenderSource[], languages: readonly string[]): SourcesByLanguage {
  const available = languagesOf(sources);
  const tags = languages.map((language) => matchLanguage(language, available));
  const missing = languages.filter((_, index) => tags[index] === undefined);
  if (missing.length > 0) return { error: missingLanguages(missing, available, sources.length > 0) };
  return {
    groups: [...new Set(tags)].map((tag) => {
      const inLanguage = sources.filter(({ stream }) => stream.language === tag);
      const best = Math.min(...inLanguage.map(versionRank));
      return inLanguage.filter((source) => versionRank(source) === best);
    }),
  };
}

function languagesOf(sources: readonly RenderSource[]): string[] {
  return [...new Set(sources.flatMap(({ stream }) => stream.language ?? []))];
}

function versionRank({ stream }: RenderSource): number {
  return stream.versionRank ?? 0;
}

function missingLanguages(missing: readonly string[], available: readonly string[], hasAudio: boolean): string {
  const what = `Unavailable: audio in ${missing.join(', ')}`;
  if (!hasAudio) return `${what}; this content has no audio that can be rendered.`;
  if (available.length === 0) return `${what}; the platform does not state the language of this audio.`;
  return `${what}; available: ${available.slice(0, MAX_LISTED_LANGUAGES).join(', ')}.`;
}
