/** A part of a file that was skipped, because it is damaged. */
export interface Hole {
  /** Offset of its first byte in the file. */
  readonly offset: number;
  /** Number of bytes that were skipped, with intact ones that the reader needed to continue. */
  readonly bytes: number;
  /** Time on the result's clock at which it begins, in seconds. */
  readonly at: number;
  /** Duration of the media that is missing, in seconds. */
  readonly seconds: number;
}
