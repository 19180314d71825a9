/** Bounds of a subtitle file. Real ones are far below them. */
export const subtitleLimits = {
  /** Bytes. */
  fileBytes: 8_000_000,
  cues: 20_000,
  /** Characters of a cue's text. */
  cueText: 2000,
  /** Seconds. */
  time: 1_000_000,
} as const;

/** A cue of a subtitle file. Times are milliseconds from the beginning of the media. */
export interface FileCue {
  readonly start: number;
  readonly end: number;
  readonly text: CueText;
}

/** A style that players can show, or the end of it. */
export interface StyleMark {
  readonly style: 'i' | 'b' | 'u';
  readonly isEnd: boolean;
}

/** The text of a cue, in which each style that begins also ends. */
export type CueText = readonly (string | StyleMark)[];

/** Thrown when a file has no subtitles that can be read. The message is the reason, as a clause. */
export class SubtitlesUnreadable extends Error {
  override readonly name = 'SubtitlesUnreadable';
}
