import { hasMoreThanCode, languageCode, packLanguage } from '../languages/language-code.ts';
import type { Track } from './track-reader.ts';

/** Returns a track in the language of its input, which is that of its audio; the same track without one. */
export function withLanguage<Described extends Pick<Track, 'kind' | 'language' | 'languageTag'>>(
  track: Described,
  tag: string | undefined,
): Described {
  if (tag === undefined || track.kind !== 'audio') return track;
  const { languageTag: _, ...others } = track;
  const language = packLanguage(languageCode(tag));
  return { ...others, language, ...(hasMoreThanCode(tag) ? { languageTag: tag } : {}) } as Described;
}
