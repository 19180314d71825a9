import { defined, dig, flag, text } from '../../../../parsing/values.ts';

/** The origin of an audio track. */
type AudioTrackKind = 'original' | 'dubbed' | 'auto-dubbed' | 'descriptive' | 'secondary';

/** One of several audio tracks. */
export interface AudioTrack {
  /** For example `en-US.4`. */
  readonly id: string;
  /** For example `en-US`. */
  readonly language: string;
  /** For example "English (US) original". */
  readonly name?: string;
  readonly kind: AudioTrackKind;
  readonly isDefault: boolean;
}

/** Kinds by the number at the end of a track's ID (recorded 2025-03 to 2026-07). */
const kindsById: Readonly<Record<string, AudioTrackKind>> = {
  2: 'descriptive',
  3: 'dubbed',
  4: 'original',
  6: 'secondary',
  10: 'auto-dubbed',
};

/** Kinds by the value of `acont` in a link's or format's tags. */
const kindsByTag: Readonly<Record<string, AudioTrackKind>> = {
  original: 'original',
  dubbed: 'dubbed',
  'dubbed-auto': 'auto-dubbed',
  descriptive: 'descriptive',
  secondary: 'secondary',
};

/** Reads the `audioTrack` of a format. Returns undefined for a video's only audio track. */
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

/** Kinds of tracks, in order of preference. */
const kindOrder: readonly AudioTrackKind[] = ['original', 'dubbed', 'secondary', 'auto-dubbed', 'descriptive'];

/**
 * Chooses the track for a video's file: the one in the requested language, preferring human over machine dubs, or else
 * the original. Audio descriptions are chosen only on request.
 */
export function chooseTrack(tracks: readonly AudioTrack[], language: string | undefined): AudioTrack | undefined {
  const candidates = tracks.filter(({ kind }) => kind !== 'descriptive');
  const best = (some: readonly AudioTrack[]) =>
    some.toSorted(
      (a, b) => kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind) || Number(b.isDefault) - Number(a.isDefault),
    )[0];
  const inLanguage =
    language === undefined ? undefined : best(candidates.filter((track) => isInLanguage(track, language)));
  return inLanguage ?? best(candidates) ?? tracks[0];
}

/**
 * Returns the position of a track among those in its language, from 0. A track with dynamic range compression or a boost
 * of the voices comes after the one without.
 */
export function versionRankOf({ kind }: AudioTrack, isProcessed: boolean): number {
  return 2 * kindOrder.indexOf(kind) + Number(isProcessed);
}

function isInLanguage(track: AudioTrack, language: string): boolean {
  const [base] = language.toLowerCase().split('-');
  return track.language.toLowerCase().split('-')[0] === base;
}

/** The tags of a format: `acont`, `lang`, `drc`, `sr`, `vb`. */
type FormatTags = Readonly<Record<string, string | undefined>>;

/**
 * Reads the tags in a link's `xtags`, such as `acont=original:lang=en`. The format's own `xtags` are the same in
 * protobuf, which is not needed if there is a link.
 */
export function parseTags(xtags: string | undefined): FormatTags {
  if (xtags === undefined || xtags.length > 500) return {};
  return Object.fromEntries(xtags.split(':').map((tag) => tag.split('=', 2)));
}
