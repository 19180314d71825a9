import { MillraceError } from '../../../../contract/errors.ts';
import type { ArrivedRange } from '../../tasks/growing-files.ts';

/** Bytes that the library may look at to tell the container; it reads them again later, from its memory. */
export const containerProbeBytes = 64 * 1024;
/**
 * Bytes that have to be there behind the place at which a read begins. The library reads a file from its beginning on and
 * in pieces of 32 KiB, until it has a frame: those of 4K films have up to 2 MB. Sound comes in frames of a few hundred.
 */
const videoReadAhead = 4 * 1024 * 1024;
const audioReadAhead = 256 * 1024;
/**
 * Bytes that the library may have read beyond the place at which it says that it stands: what it looked at to tell the
 * container, or its ordinary 32 KiB.
 */
const libraryBuffer = 2 * containerProbeBytes;

/**
 * A file that is read while it arrives. It grows at its end, but behind the bytes that have arrived there may be others
 * that came first, with holes between them, so nothing beyond must be read. Reads cannot be held back once they have
 * begun: they begin only when enough is there, and are looked at afterwards.
 */
export class GrowingFile {
  /** Where the segments end that have arrived. */
  readonly ends: number[] = [];
  #arrived: ArrivedRange = { bytes: 0, whole: false };
  #wake: () => void = () => undefined;
  #readAhead = videoReadAhead;

  /** Bytes that are there. */
  get bytes(): number {
    return this.#arrived.bytes;
  }

  /** Whether all of it is there. */
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

  /** Settles when it has so many bytes, or is whole. The service sees to it that one of the two comes, or ends this. */
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

  /** Whether a reader that stands at a position has seen nothing but what has arrived. */
  covers(position: number): boolean {
    return this.whole || position + libraryBuffer <= this.#arrived.bytes;
  }

  /** @throws MillraceError `processing_failed` unless it {@link covers} the position. */
  verify(position: number, name: string): void {
    if (this.covers(position)) return;
    throw new MillraceError('processing_failed', `${name} was read further than it had arrived. Start the job again.`);
  }
}
