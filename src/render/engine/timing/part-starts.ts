/** When the streams of files that play at the same time end, in seconds on the result's clock. */
export interface PartEnds {
  /** The stream that ends first, and the one that ends last. */
  readonly earliest: number;
  readonly latest: number;
  /** Video alone; absent without video. */
  readonly video?: number;
}

/** Where files begin that play after others. */
interface PartStart {
  /** Seconds from their first timestamp to their first frame; absent without video. */
  readonly lead?: number;
  /**
   * Seconds on the result's clock at which they begin by the playlist; absent where no other file plays at the same time,
   * or where that is known better.
   */
  readonly declaredStart?: number;
}

/** Seconds of audio that encoders add at both ends of a part together, at most: priming, and filling of the last packet. */
const maxPadding = 0.2;
/** Seconds that a clock may go back, or pause, from one file to the next. */
const maxOverlap = 0.1;
const maxPause = 10;

/**
 * Whether a file's clock continues that of the file before, and did not jump or restart.
 *
 * @param begin - seconds on the result's clock at which it would begin if it went on.
 */
export function continuesClock(begin: number, { earliest, latest }: PartEnds): boolean {
  return begin + maxOverlap >= earliest && begin <= latest + maxPause;
}

/**
 * Seconds on the result's clock at which the first timestamp of files belongs that play after others. If both have video,
 * it goes on without a gap, so the audio around the seam may overlap by what encoders add. Longer audio is content, and
 * the files begin after it.
 */
export function startOfNextPart({ video, latest }: PartEnds, { lead, declaredStart }: PartStart): number {
  const splicesVideo =
    video !== undefined && lead !== undefined && lead <= maxPadding && latest - video + lead <= maxPadding;
  const boundary = splicesVideo ? video - lead : latest;
  if (declaredStart === undefined) return boundary;
  // Padding does not show in audio alone, but it would add up beside video.
  const earliest = video === undefined && lead === undefined ? boundary - maxPadding : boundary;
  return declaredStart >= earliest ? declaredStart : boundary;
}
