import type { JobDescription } from '../contract/job.ts';
import { matchLanguage } from '../contract/language-tag.ts';
import { additionLimits } from '../contract/output-additions.ts';
import type { SourceCaptions } from '../contract/source-media.ts';

/** Maximum number of languages that a note lists, and maximum length of a title. */
const MAX_LISTED = 30;
const MAX_TITLE = 200;

/** The subtitles to add to files, and notes on those that are missing. */
interface ChosenSubtitles {
  readonly subtitles: NonNullable<JobDescription['output']['subtitles']>;
  readonly notes: readonly string[];
}

/**
 * Chooses the captions that are embedded as subtitles. Captions by people take precedence over automatic ones.
 *
 * @param languages Requested language tags. If empty, all captions by people, or else all automatic ones.
 */
export function chooseSubtitles(captions: readonly SourceCaptions[], languages: readonly string[]): ChosenSubtitles {
  if (captions.length === 0) return { subtitles: [], notes: ['No subtitles are embedded: the content has none.'] };
  const chosen = languages.length === 0 ? allOf(captions) : languages.flatMap((one) => findCaptions(captions, one));
  const distinct = [...new Set(chosen)];
  const fetchable = distinct.filter(({ playerOnly }) => playerOnly !== true);
  const missing = languages.filter((language) => findCaptions(captions, language).length === 0);
  const playerOnly = distinct.filter((one) => one.playerOnly === true).map(({ language }) => language);
  const excess = fetchable.length - additionLimits.subtitles;
  return {
    subtitles: fetchable.slice(0, additionLimits.subtitles).map(subtitlesOf),
    notes: [
      ...(missing.length === 0 ? [] : [missingNote(missing, captions)]),
      ...(playerOnly.length === 0
        ? []
        : [`Subtitles in ${listed(playerOnly)} are not embedded: the platform serves them only to its own player.`]),
      ...(excess > 0 ? [`${excess} more subtitles are not embedded. Request languages with subtitleLanguages.`] : []),
    ],
  };
}

/** Returns one track of each language: of the captions that people wrote, or of all if every one is automatic. */
function allOf(captions: readonly SourceCaptions[]): SourceCaptions[] {
  const manual = captions.filter(({ automatic }) => !automatic);
  const tracks = manual.length > 0 ? manual : captions;
  return [...Map.groupBy(tracks, ({ language }) => language).values()].flatMap(([first]) => first ?? []);
}

function findCaptions(captions: readonly SourceCaptions[], language: string): SourceCaptions[] {
  for (const isAutomatic of [false, true]) {
    const tracks = captions.filter(({ automatic }) => automatic === isAutomatic);
    const tag = matchLanguage(
      language,
      tracks.map((track) => track.language),
    );
    const track = tracks.find((one) => one.language === tag);
    if (track !== undefined) return [track];
  }
  return [];
}

function subtitlesOf({
  url,
  format,
  language,
  title,
  automatic,
  headers,
}: SourceCaptions): ChosenSubtitles['subtitles'][number] {
  const name = title ?? languageName(language);
  const isMarked = !automatic || /\(auto/i.test(name);
  return {
    url,
    format,
    language,
    title: (isMarked ? name : `${name} (auto-generated)`).slice(0, MAX_TITLE).toWellFormed(),
    ...(headers === undefined ? {} : { requestOptions: { headers: { ...headers } } }),
  };
}

/** Returns the English name of a language, or its tag if it has none. */
function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(tag) ?? tag;
  } catch (error) {
    // The pattern of language tags accepts codes that are not assigned to any language.
    if (error instanceof RangeError) return tag;
    throw error;
  }
}

function missingNote(missing: readonly string[], captions: readonly SourceCaptions[]): string {
  const manual = captions.filter(({ automatic }) => !automatic).map(({ language }) => language);
  const automatic = captions.filter((one) => one.automatic).map(({ language }) => `${language} (auto-generated)`);
  return `Subtitles in ${missing.join(', ')} are not available; available: ${listed([...manual, ...automatic])}.`;
}

function listed(languages: readonly string[]): string {
  return [...new Set(languages)].slice(0, MAX_LISTED).join(', ');
}
