import type { Chapter } from './chapter.ts';

/** How chapters are written into a container. The media library's binding has no API for writing chapters. */
export interface ChapterWriter {
  /** File-level metadata that stores the chapters. */
  metadata?(chapters: readonly Chapter[]): Record<string, string>;
  /** Muxer options that reserve space for the chapters. */
  muxerOptions?(chapters: readonly Chapter[]): Record<string, string>;
  /**
   * Writes the chapters into the finished file.
   *
   * @param end - duration of the file, in seconds.
   */
  write?(path: string, chapters: readonly Chapter[], end: number): void;
}

/** Returns the option, common to several muxers, that reserves the given number of bytes in the file header. */
export function headerPadding(bytes: number): Record<string, string> {
  return { metadata_header_padding: `${bytes}` };
}
