/** The tags that a visitor can edit, in the order in which they are listed. */
export const tagNames = ['title', 'artist', 'album', 'date', 'genre', 'comment'] as const;

/** A tag that a visitor can edit. */
export type TagName = (typeof tagNames)[number];

/** Tags of a file. None is empty. */
export type Tags = Readonly<Partial<Record<TagName, string>>>;

/** A part of an item, in seconds. Without an end, it lasts until the end of the item. */
export interface ClipRange {
  readonly start: number;
  readonly end?: number;
}

/** What a visitor has chosen for the file of an item, besides its quality. */
export interface ItemOptions {
  /** The part to keep. */
  readonly clip?: ClipRange;
  /** Language of the audio track. */
  readonly audioLanguage?: string;
  /** Languages of the subtitles to add to the file. */
  readonly subtitleLanguages?: readonly string[];
  /** Tags of the file that differ from the metadata of the item. */
  readonly tags?: Tags;
}

/** The parameter of the extraction API for each tag. */
const tagParameters: Readonly<Record<TagName, string>> = {
  title: 'tagTitle',
  artist: 'tagArtist',
  album: 'tagAlbum',
  date: 'tagDate',
  genre: 'tagGenre',
  comment: 'tagComment',
};

/** Returns the parameters of the extraction API for the options. */
export function optionParameters({
  clip,
  audioLanguage,
  subtitleLanguages,
  tags = {},
}: ItemOptions): Readonly<Record<string, string>> {
  return {
    ...(clip === undefined ? {} : { clip: `${clip.start}-${clip.end ?? ''}` }),
    ...(audioLanguage === undefined ? {} : { audioLanguage }),
    ...(subtitleLanguages === undefined ? {} : { subtitleLanguages: subtitleLanguages.join(',') }),
    ...Object.fromEntries(
      tagNames.flatMap((name) => (tags[name] === undefined ? [] : [[tagParameters[name], tags[name]]])),
    ),
  };
}

/** Returns the share of an item that a clip keeps. */
export function clipShare(clip: ClipRange | undefined, duration: number): number {
  if (clip === undefined || duration <= 0) return 1;
  return (Math.min(clip.end ?? duration, duration) - clip.start) / duration;
}

/** Returns options without one of them. */
export function withoutOption(options: ItemOptions, name: keyof ItemOptions): ItemOptions {
  const { [name]: _removed, ...others } = options;
  return others;
}
