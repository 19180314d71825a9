import type { Additions } from '../tasks/additions.ts';

/**
 * How tags, covers and chapters are written into a container. The media library's binding has no API for chapters, and
 * FFmpeg's muxers rename or drop some tags.
 */
export interface AdditionWriter {
  /** File-level metadata that the muxer writes. */
  metadata?(additions: Additions): Readonly<Record<string, string>>;
  /** Muxer options that reserve space for the additions. */
  muxerOptions?(additions: Additions): Readonly<Record<string, string>>;
  /**
   * Writes the rest into the finished file.
   *
   * @param end - duration of the file, in seconds.
   * @returns The number of chapters that the file contains.
   */
  write(path: string, additions: Additions, end: number): number;
}

/** Returns the option, common to several muxers, that reserves the given number of bytes in the file header. */
export function headerPadding(bytes: number): Record<string, string> {
  return { metadata_header_padding: `${bytes}` };
}
