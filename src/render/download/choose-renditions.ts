import { matchLanguage, toLanguageTag } from '../../contract/language-tag.ts';
import type { MasterPlaylist, Rendition, Variant } from '../../hls/master-playlist.ts';

/** The renditions that are fetched with a variant of a playlist, and those that are skipped. */
interface ChosenRenditions {
  /** URL of the variant's audio playlist, if it is separate. */
  readonly audioUrl?: string;
  /** Language tag of that audio, if the playlist states it. */
  readonly audioLanguage?: string;
  /**
   * Audio, video and subtitles that are not fetched. Excludes other qualities of fetched renditions, and closed
   * captions, which are inside the video.
   */
  readonly skippedRenditions: readonly Rendition[];
}

/**
 * Chooses a variant's audio: the rendition of its group in the language of the input, else the default one, else the
 * first.
 *
 * @param language Language tag of the input, if the job states it.
 */
export function chooseRenditions(
  { renditions }: MasterPlaylist,
  variant: Variant,
  language?: string,
): ChosenRenditions {
  const ofType = (type: string) => renditions.filter((rendition) => rendition.type === type);
  const audio = ofType('AUDIO');
  const ownAudio = audio.filter(({ groupId }) => groupId === variant.audioGroup);
  const ownVideo = ofType('VIDEO').filter(({ groupId }) => groupId === variant.attributes.get('VIDEO'));
  const audioRendition = (language === undefined ? undefined : inLanguage(ownAudio, language)) ?? defaultOf(ownAudio);
  const fetchedUrls = new Set([variant.url, audioRendition?.url]);
  // A variant without a group contains its audio, most likely in the default language.
  const variantAudio = ownAudio.length > 0 ? ownAudio : [defaultOf(audio)];
  const candidates = [
    ...ownAudio,
    ...otherLanguages(audio, new Set(variantAudio.map((rendition) => rendition?.language))),
    ...ownVideo,
    ...unique(ofType('SUBTITLES'), ({ language, name }) => JSON.stringify([language, name])),
  ];
  const skippedRenditions = candidates.filter(({ url }) => url !== undefined && !fetchedUrls.has(url));
  const audioLanguage = toLanguageTag(audioRendition?.language);
  const isSeparate = audioRendition?.url !== undefined && audioRendition.url !== variant.url;
  return {
    ...(isSeparate ? { audioUrl: audioRendition.url } : {}),
    ...(isSeparate && audioLanguage !== undefined ? { audioLanguage } : {}),
    skippedRenditions,
  };
}

/** Returns the default rendition in a language, else the first. */
function inLanguage(renditions: readonly Rendition[], language: string): Rendition | undefined {
  const tag = matchLanguage(
    language,
    renditions.flatMap((rendition) => rendition.language ?? []),
  );
  return tag === undefined ? undefined : defaultOf(renditions.filter((rendition) => rendition.language === tag));
}

function defaultOf(renditions: readonly Rendition[]): Rendition | undefined {
  return renditions.find(({ isDefault }) => isDefault) ?? renditions[0];
}

/**
 * Returns one rendition of each additional language. Other renditions in the same language are other qualities, in the
 * groups of other variants.
 */
function otherLanguages(audio: readonly Rendition[], languages: ReadonlySet<string | undefined>): Rendition[] {
  const others = audio.filter(({ language }) => language !== undefined && !languages.has(language));
  return unique(others, ({ language }) => language);
}

/** Returns the first of each set of renditions that have the same content. */
function unique(
  renditions: readonly Rendition[],
  contentOf: (rendition: Rendition) => string | undefined,
): Rendition[] {
  return [...Map.groupBy(renditions, contentOf).values()].flatMap(([first]) => first ?? []);
}
