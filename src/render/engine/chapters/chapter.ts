import { cleanLine } from '../tags/clean-text.ts';

/** A chapter of a file. It lasts until the next chapter begins. */
export interface Chapter {
  /** Start time in seconds. */
  readonly start: number;
  /** Title; may be empty. */
  readonly title: string;
}

/** A chapter with its end time in seconds. */
export interface ChapterWithEnd extends Chapter {
  readonly end: number;
}

/** Maximum number of chapters in a file. Vorbis comments number chapters with three digits. */
export const maxChapters = 1000;
/** Maximum length of a title, in characters. */
const maxTitle = 500;
/** Maximum start time in seconds: about thirty years, which the clock of every container can represent. */
const maxStart = 1e9;

/** Sorts the chapters read from a file, and drops invalid ones and those beyond {@link maxChapters}. */
export function normalizeChapters(chapters: readonly Chapter[]): Chapter[] {
  return chapters
    .filter(({ start }) => start >= 0 && start <= maxStart)
    .toSorted((a, b) => a.start - b.start)
    .slice(0, maxChapters)
    .map(({ start, title }) => ({ start, title: cleanLine(title, maxTitle) }));
}

/**
 * Shifts chapters to the result's clock. Omits chapters that end before the result begins or begin after it ends.
 *
 * @param origin - time on the result's clock, in seconds, at which the chapters' own clock is zero.
 * @param end - duration of the result, in seconds.
 */
export function placeChapters(chapters: readonly Chapter[], origin: number, end: number): Chapter[] {
  const shiftedChapters = chapters.map(({ start, title }) => ({ start: start + origin, title }));
  return shiftedChapters
    .filter(({ start }, at) => start < end && (start >= 0 || (shiftedChapters[at + 1]?.start ?? end) > 0))
    .map(({ start, title }) => ({ start: Math.max(0, start), title }));
}

/** Adds the end times to chapters. The last chapter ends at `end`, the duration of the result in seconds. */
export function addChapterEnds(chapters: readonly Chapter[], end: number): ChapterWithEnd[] {
  return chapters.map((chapter, at) => ({ ...chapter, end: Math.max(chapter.start, chapters[at + 1]?.start ?? end) }));
}
