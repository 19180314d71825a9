import type { Clip } from '../../../contract/clip.ts';
import type { Steps } from '../../../waiting/steps.ts';
import type { ByteRange } from '../byte-ranges.ts';

/** Thrown when the whole file must be fetched. The message is a human-readable reason, such as `it has no index`. */
export class ExcerptDeclined extends Error {
  override readonly name = 'ExcerptDeclined';
}

/** Declines an excerpt for the given reason. */
export function declineExcerpt(reason: string): never {
  throw new ExcerptDeclined(reason);
}

/** How a clip is cut out of a file. */
export interface Excerpt {
  /** The content of the excerpt's file in order: bytes that are made from the index, and ranges of the source. */
  readonly parts: readonly (Buffer | ByteRange)[];
  /** First timestamp of the excerpt, in seconds on the clock of the source. */
  readonly start: number;
  /** When its media ends on the same clock; absent if the index does not state it. */
  readonly end?: number;
  /**
   * Returns the same time as its media states it, given the first bytes of the last range. Absent if `start` is exact.
   *
   * @throws ExcerptDeclined if the media does not begin there.
   */
  readonly measureStart?: (bytes: Buffer) => number;
  /** Whether the last range consists of fragments of MP4, which may state where in the file they are. */
  readonly hasFragments?: boolean;
  /** The samples with which its videos begin, if the index lists samples. */
  readonly firstFrames?: readonly FirstFrame[];
}

/** A sample with which a video of an excerpt begins. */
export interface FirstFrame {
  /** Its offset in the excerpt's file, and its size in bytes. */
  readonly position: number;
  readonly size: number;
  /**
   * Checks that decoding can begin there, given its first bytes.
   *
   * @throws ExcerptDeclined otherwise.
   */
  readonly check: (head: Buffer) => void;
}

/** The index of a file. */
export interface MediaIndex {
  /** First timestamp of the file, in seconds on its own clock. */
  readonly start: number;
  /** Duration in seconds; absent if the index does not state it. */
  readonly duration?: number;
  readonly hasVideo: boolean;
  /**
   * Plans the excerpt for a part of the file, whose times count from the beginning of the file. A part that begins
   * after the end becomes the last part of the file.
   *
   * @throws ExcerptDeclined, or FastPathDeclined, if the index contradicts itself.
   */
  planExcerpt(clip: Clip): Steps<Excerpt>;
  /** Releases its memory at once. It plans no excerpt from then on. */
  release?(): void;
}

/** What a reading asks for before tables of a few kilobytes become objects of many megabytes. */
export interface MemoryRequest {
  /**
   * Number of bytes that it keeps; or `turn`: a turn of its own until the excerpt is planned, because the bytes are then
   * released. It reads no ranges in its turn.
   */
  readonly memory: number | 'turn';
}

/**
 * Reads an index: yields the ranges of the file that it needs, and receives their bytes. Also yields undefined whenever
 * it has worked for a few milliseconds, as {@link Steps} do: indexes have many megabytes. A {@link MemoryRequest} is
 * declined if there is no memory.
 */
export type IndexReading<Result = MediaIndex> = Generator<ByteRange | MemoryRequest | undefined, Result, Buffer>;

/**
 * Seconds that are kept after the end of a clip. Streams are not interleaved exactly, and frames are not stored in the
 * order in which they are displayed.
 */
export const endMargin = 1;
