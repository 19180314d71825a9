/** Bounds of what a job adds to a result: bytes, milliseconds, characters and counts. */
export const additionLimits = {
  coverBytes: 10_000_000,
  subtitleBytes: 5_000_000,
  timeout: 20_000,
  chapters: 1000,
  chapterTitle: 500,
  subtitles: 32,
  subtitleContent: 200_000,
  text: 1000,
  longText: 10_000,
} as const;
