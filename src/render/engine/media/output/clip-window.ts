/** The part of a stream that a clip keeps, on the clock of the sinks: it begins at 0. */
export interface ClipWindow {
  /** End in seconds; infinite if the clip lasts until the end of the media. */
  end: number;
  /** Whether silence fills audio that ends before. */
  readonly fillsAudio: boolean;
}
