import { MillraceError } from '../../../../contract/errors.ts';
import type { ArrivedRange } from '../../tasks/growing-files.ts';

/** Number of bytes that the library may read to detect the container. It later reads them again from its buffer. */
export const containerProbeBytes = 64 * 1024;
/**
 * Number of bytes that must be available after the position of a read. The library reads a file from its beginning in
 * blocks of 32 KiB until it has a frame. Frames of 4K films take up to 2 MB, audio frames a few hundred bytes.
 */
const videoReadAhead = 4 * 1024 * 1024;
const audioReadAhead = 256 * 1024;
/**
 * Number of bytes that the library may have read beyond its reported position: twice the bytes that it reads to detect
 * the container. It usually reads 32 KiB.
 */
const libraryBuffer = 2 * containerProbeBytes;

/**
 * A file that is read while it is downloaded. It grows at its end. Later ranges may already have arrived out of order,
 * with holes in between, so nothing after the contiguous bytes may be read. A read cannot be interrupted once it has
 * begun. It therefore begins only when enough bytes are available, and its position is checked afterwards.
 */
export class GrowingFile {
  /** End offsets of the segments that have arrived. */
  readonly ends: number[] = [];
  #arrived: ArrivedRange = { bytes: 0, whole: false };
  #wake: () => void = () => undefined;
  #readAhead = videoReadAhead;

  /** Number of bytes that have arrived. */
  get bytes(): number {
    return this.#arrived.bytes;
  }

  /** Whether the file is complete. */
  get whole(): boolean {
    return this.#arrived.whole;
  }

  /** Records how much has arrived. */
  update({ bytes, whole, ends = [] }: ArrivedRange): void {
    this.ends.push(...ends);
    this.#arrived = { bytes, whole };
    this.#wake();
  }

  /** Reduces the read-ahead for a file without video. */
  setAudioOnly(): void {
    this.#readAhead = audioReadAhead;
  }

  /**
   * Settles when the file has the given number of bytes or is complete. The service ensures that this happens, or
   * aborts the task.
   */
  async waitForBytes(bytes: number): Promise<void> {
    while (!this.whole && this.#arrived.bytes < bytes) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Whether a read may begin at a position. */
  canReadAt(position: number): boolean {
    return this.whole || position + this.#readAhead <= this.#arrived.bytes;
  }

  /** Settles when a read may begin at a position. */
  waitUntilReadable(position: number): Promise<void> {
    return this.waitForBytes(position + this.#readAhead);
  }

  /** Whether a reader at a position has read only bytes that have arrived. */
  covers(position: number): boolean {
    return this.whole || position + libraryBuffer <= this.#arrived.bytes;
  }

  /**
   * Checks that the file {@link covers} a position.
   *
   * @throws MillraceError `processing_failed` if it does not.
   */
  verify(position: number, name: string): void {
    if (this.covers(position)) return;
    throw new MillraceError(
      'processing_failed',
      `${name} was read beyond the part that had been downloaded. Start the job again.`,
    );
  }
}
