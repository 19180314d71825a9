import { defined, dig, flag, text } from '../../../../parsing/values.ts';

/** How the sound of a video came to be. */
type AudioTrackKind = 'original' | 'dubbed' | 'auto-dubbed' | 'descriptive' | 'secondary';

/** One of several tracks of sound. */
export interface AudioTrack {
  /** Such as `en-US.4`. */
  readonly id: string;
  /** Such as `en-US`. */
  readonly language: string;
  /** Such as "English (US) original". */
  readonly name?: string;
  readonly kind: AudioTrackKind;
  readonly isDefault: boolean;
}

/** The number behind a track's id (recorded 2025-03 to 2026-07). */
const kindsById: Readonly<Record<string, AudioTrackKind>> = {
  2: 'descriptive',
  3: 'dubbed',
  4: 'original',
  6: 'secondary',
  10: 'auto-dubbed',
};

/** The words after `acont` in a link's or a format's tags. */
const kindsByTag: Readonly<Record<string, AudioTrackKind>> = {
  original: 'original',
  dubbed: 'dubbed',
  'dubbed-auto': 'auto-dubbed',
  descriptive: 'descriptive',
  secondary: 'secondary',
};

/** Reads the `audioTrack` of a format; undefined for the only sound of a video. */
export function readAudioTrack(track: unknown, { acont = '' }: FormatTags): AudioTrack | undefined {
  const id = text(dig(track, 'id'));
  if (id === undefined || id.length > 50) return undefined;
  const [, language = id, number = ''] = /^(.+)\.(\d+)$/.exec(id) ?? [];
  const isDefault = flag(dig(track, 'audioIsDefault')) ?? false;
  const automatic = dig(track, 'isAutoDubbed') === true ? 'auto-dubbed' : undefined;
  const guess = isDefault ? 'original' : 'dubbed';
  return {
    id,
    language,
    ...defined({ name: text(dig(track, 'displayName')) }),
    kind: automatic ?? kindsByTag[acont] ?? kindsById[number] ?? guess,
    isDefault,
  };
}

/**
 * The track that a file of the video gets: the one in the language asked for, made by people before made by machines,
 * else the original. Descriptions for the blind are never chosen unasked.
 */
export function chooseTrack(tracks: readonly AudioTrack[], language: string | undefined): AudioTrack | undefined {
  const candidates = tracks.filter(({ kind }) => kind !== 'descriptive');
  const order: readonly AudioTrackKind[] = ['original', 'dubbed', 'secondary', 'auto-dubbed'];
  const best = (some: readonly AudioTrack[]) =>
    some.toSorted(
      (a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || Number(b.isDefault) - Number(a.isDefault),
    )[0];
  const inLanguage =
    language === undefined ? undefined : best(candidates.filter((track) => isInLanguage(track, language)));
  return inLanguage ?? best(candidates) ?? tracks[0];
}

function isInLanguage(track: AudioTrack, language: string): boolean {
  const [base] = language.toLowerCase().split('-');
  return track.language.toLowerCase().split('-')[0] === base;
}

/** The tags of a format: `acont`, `lang`, `drc`, `sr`, `vb`. */
type FormatTags = Readonly<Record<string, string | undefined>>;

/**
 * Reads the tags in a link's `xtags`, such as `acont=original:lang=en`. The `xtags` of the format itself are the same
 * as protobuf, which is not needed where there is a link.
 */
export function parseTags(xtags: string | null): FormatTags {
  if (xtags === null || xtags.length > 500) return {};
  return Object.fromEntries(xtags.split(':').map((tag) => tag.split('=', 2)));
}
