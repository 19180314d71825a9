import type { Chapter } from './chapter.ts';

/** How a container takes chapters, which the media library cannot be handed. */
export interface ChapterWriter {
  /** Words about the whole file that are the chapters. */
  metadata?(chapters: readonly Chapter[]): Record<string, string>;
  /** Options with which the muxer leaves room for them. */
  muxerOptions?(chapters: readonly Chapter[]): Record<string, string>;
  /**
   * Puts them into the finished file.
   *
   * @param end - seconds that the file plays.
   */
  write?(path: string, chapters: readonly Chapter[], end: number): void;
}

/** The option of several muxers that leaves so many bytes empty in a file's head. */
export function headerPadding(bytes: number): Record<string, string> {
  return { metadata_header_padding: `${bytes}` };
}
