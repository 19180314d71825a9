import type { ExtractedContent, ExtractionResponse } from '#client/index.ts';
import { listAt, textAt } from '#client/read-members.ts';
import { toLanguageTag } from '../../../contract/language-tag.ts';
import { flagAt } from '../common/read-members.ts';

/** The audio of a content item in one language. */
export interface AudioLanguage {
  readonly tag: string;
  /** Whether it is the one that the platform plays by default. */
  readonly isDefault: boolean;
}

/** The subtitles of an item in one language. */
export interface SubtitleLanguage {
  readonly tag: string;
  /** Whether only speech recognition or machine translation wrote them. */
  readonly isAutomatic: boolean;
}

/** Returns the languages of the audio of a content item, as far as the platform states them. */
export function audioLanguagesOf({ audios = [] }: ExtractedContent): readonly AudioLanguage[] {
  const languages = audios.flatMap(({ metadata }): AudioLanguage[] => {
    const tag = toLanguageTag(textAt(metadata, 'language'));
    return tag === undefined ? [] : [{ tag, isDefault: flagAt(metadata, 'is_default') }];
  });
  return byTag(languages, (a, b) => ({ tag: a.tag, isDefault: a.isDefault || b.isDefault }));
}

/** Returns the languages of the subtitles that can be added to the files of an item. */
export function subtitleLanguagesOf({
  metadata: { additionalData },
  contents = [],
}: ExtractionResponse): readonly SubtitleLanguage[] {
  // Each platform lists its captions in one of these places.
  const captions = [
    ...listAt(additionalData, 'captions'),
    ...listAt(additionalData, 'subtitles'),
    ...(contents[0]?.videos ?? []).flatMap(({ metadata }) => listAt(metadata, 'captions')),
  ];
  const languages = captions.flatMap((caption): SubtitleLanguage[] => {
    const code = textAt(caption, 'language');
    const tag = toLanguageTag(code?.replace(/-auto$/, ''));
    const kind = textAt(caption, 'kind')?.toLowerCase();
    return tag === undefined
      ? []
      : [{ tag, isAutomatic: automaticKinds.has(kind) || code?.endsWith('-auto') === true }];
  });
  return byTag(languages, (a, b) => ({ tag: a.tag, isAutomatic: a.isAutomatic && b.isAutomatic }));
}

/** Returns the languages in which the transcript of an item can be fetched. */
export function transcriptLanguagesOf({ metadata }: ExtractionResponse): readonly string[] {
  return metadata.transcript?.languages ?? [];
}

/** The names of speech recognition and machine translation on the platforms. */
const automaticKinds: ReadonlySet<string | undefined> = new Set(['auto', 'asr', 'mt']);

/** Merges the entries of each language, in the order of their first entries. */
function byTag<Entry extends { readonly tag: string }>(
  entries: readonly Entry[],
  merge: (a: Entry, b: Entry) => Entry,
): readonly Entry[] {
  const merged = new Map<string, Entry>();
  for (const entry of entries) {
    const earlier = merged.get(entry.tag);
    merged.set(entry.tag, earlier === undefined ? entry : merge(earlier, entry));
  }
  return [...merged.values()];
}
