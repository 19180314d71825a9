/** Lines of a cue that are read. The limit of its text is reached before, unless they are empty. */
export const maxCueLines = 4000;

/** A cue as its file states it. Times are milliseconds. */
export interface RawCue {
  readonly start: number;
  /** Not after the start if the file does not state it. */
  readonly end: number;
  /** The text with its markup. */
  readonly text: string;
}
