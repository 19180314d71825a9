/** How much of a playlist is read before it counts as hostile. */
export interface PlaylistBounds {
  /** Characters of the whole text. */
  readonly textLength: number;
  /** Characters of one line. */
  readonly lineLength: number;
  readonly segments: number;
  /**
   * How often the initialization section may change (EXT-X-MAP). Each change starts a new file, which makes them
   * expensive.
   */
  readonly mapChanges: number;
  /** Discontinuities after the first segment (EXT-X-DISCONTINUITY). Each starts a new file, too. */
  readonly discontinuities: number;
  /** How often the keys may change (EXT-X-KEY). Some packagers write an initialization vector for every segment. */
  readonly keyChanges: number;
  /** Variants; and as many renditions, and as many session keys. */
  readonly variants: number;
  /** Characters of all URLs together, after they are resolved. */
  readonly urlLength: number;
}

const MIB = 1024 * 1024;

/** Bounds that no honest playlist comes near: 100,000 segments of 6 s are a week. */
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
  urlLength: 64 * MIB,
};
