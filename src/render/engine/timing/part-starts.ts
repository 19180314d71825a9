/** Ends of the streams of files that play simultaneously, in seconds on the result's clock. */
export interface PartEnds {
  /** End of the stream that ends first, and of the one that ends last. */
  readonly earliest: number;
  readonly latest: number;
  /** End of the video; absent without video. */
  readonly video?: number;
}

/** Facts that determine the start of files that play after others. */
interface PartStart {
  /** Seconds from their first timestamp to their first video frame; absent without video. */
  readonly lead?: number;
  /**
   * Start declared by the playlist, in seconds on the result's clock. Absent if no other file plays simultaneously, or
   * if the start is known more precisely.
   */
  readonly declaredStart?: number;
}

/**
 * Maximum audio padding that encoders add at both ends of a part together, in seconds: priming, and filling of the last
 * packet.
 */
const maxPadding = 0.2;
/** Maximum time that a clock may go back, or pause, from one file to the next, in seconds. */
const maxOverlap = 0.1;
const maxPause = 10;

/**
 * Returns whether the clock of a file continues that of the previous file, and did not jump or restart.
 *
 * @param begin - start of the file on the result's clock if its clock continues, in seconds.
 */
export function continuesClock(begin: number, { earliest, latest }: PartEnds): boolean {
  return begin + maxOverlap >= earliest && begin <= latest + maxPause;
}

/**
 * Returns the time on the result's clock, in seconds, of the first timestamp of files that play after others. If the
 * files before and after the seam have video, the video continues without a gap, so the audio around the seam may
 * overlap by the padding that encoders add. Longer audio is content, and the files begin after it.
 */
export function startOfNextPart({ video, latest }: PartEnds, { lead, declaredStart }: PartStart): number {
  const splicesVideo =
    video !== undefined && lead !== undefined && lead <= maxPadding && latest - video + lead <= maxPadding;
  const boundary = splicesVideo ? video - lead : latest;
  if (declaredStart === undefined) return boundary;
  // Padding is harmless in audio without video, but it would add up alongside video.
  const earliest = video === undefined && lead === undefined ? boundary - maxPadding : boundary;
  return declaredStart >= earliest ? declaredStart : boundary;
}
