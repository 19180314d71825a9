/** Limits above which a playlist is considered hostile and rejected. */
export interface PlaylistBounds {
  /** Maximum number of characters in the text. */
  readonly textLength: number;
  /** Maximum number of characters in one line. */
  readonly lineLength: number;
  readonly segments: number;
  /**
   * Maximum number of initialization section changes (EXT-X-MAP). Each change starts a new file, which is expensive.
   */
  readonly mapChanges: number;
  /** Maximum number of discontinuities after the first segment (EXT-X-DISCONTINUITY). Each also starts a new file. */
  readonly discontinuities: number;
  /** Maximum number of key changes (EXT-X-KEY). Some packagers write an initialization vector for every segment. */
  readonly keyChanges: number;
  /** Maximum number of variants, of renditions, and of session keys. */
  readonly variants: number;
  /** Maximum number of characters in all resolved URLs together. */
  readonly urlLength: number;
}

const MIB = 1024 * 1024;

/** Limits far above the sizes of legitimate playlists: 100,000 segments of 6 s last a week. */
export const defaultPlaylistBounds: PlaylistBounds = {
  textLength: 8 * MIB,
  lineLength: 65_536,
  segments: 100_000,
  // One every 90 seconds for a day; advertisements cause the changes.
  mapChanges: 1_000,
  discontinuities: 1_000,
  // One for every segment of 6 s for 33 hours.
  keyChanges: 20_000,
  variants: 500,
  // Twice the text: signatures in the path of a playlist are repeated in each of its short URIs.
  urlLength: 16 * MIB,
};
