import { toPrintable } from '../errors/to-printable.ts';

/** A chapter of a file. It goes on to the beginning of the next one. */
export interface Chapter {
  /** Seconds at which it begins. */
  readonly start: number;
  /** Its name; may be empty. */
  readonly title: string;
}

/** A chapter with the second at which it ends. */
export interface ChapterWithEnd extends Chapter {
  readonly end: number;
}

/** Chapters of one file, at most: Vorbis comments have three digits to count them with. */
export const maxChapters = 1000;
/** Characters of a title, at most. */
const maxTitle = 500;
/** Seconds of a start, at most: some thirty years, so that every container's clock can tell it. */
const maxStart = 1e9;

/** Puts what a file says into order, and drops what is over {@link maxChapters} or makes no sense. */
export function normalizeChapters(chapters: readonly Chapter[]): Chapter[] {
  return chapters
    .filter(({ start }) => start >= 0 && start <= maxStart)
    .toSorted((a, b) => a.start - b.start)
    .slice(0, maxChapters)
    .map(({ start, title }) => ({ start, title: toPrintable(title.slice(0, maxTitle)) }));
}

/**
 * Chapters on the result's clock: those that are over before it begins and those that begin behind its end are left out.
 *
 * @param origin - seconds on the result's clock at which the chapters' own clock shows zero.
 * @param end - seconds that the result plays.
 */
export function placeChapters(chapters: readonly Chapter[], origin: number, end: number): Chapter[] {
  const shiftedChapters = chapters.map(({ start, title }) => ({ start: start + origin, title }));
  return shiftedChapters
    .filter(({ start }, at) => start < end && (start >= 0 || (shiftedChapters[at + 1]?.start ?? end) > 0))
    .map(({ start, title }) => ({ start: Math.max(0, start), title }));
}

/** Chapters with their ends, where the last one's is `end`, the seconds that the result plays. */
export function addChapterEnds(chapters: readonly Chapter[], end: number): ChapterWithEnd[] {
  return chapters.map((chapter, at) => ({ ...chapter, end: Math.max(chapter.start, chapters[at + 1]?.start ?? end) }));
}
