import { decline } from '../binary/fast-path-declined.ts';
import { type OutputFile, openOutputFile } from '../mp4/open-files.ts';

/** Number of buffered bytes from which they are written. */
const blockBytes = 2 * 1024 * 1024;
/** Number of buffered bytes from which writing must not be delayed further. */
const fullBytes = 6 * 1024 * 1024;
/**
 * Maximum size of a block when it is written. A block can exceed the other limits because the reader adds media as long
 * as input is available.
 */
const maxBlockBytes = 12 * 1024 * 1024;

/** Gathers the media of a result and writes it. Two blocks alternate: one is filled while the other is written. */
export class MediaWriter {
  readonly #path: string;
  #file: OutputFile | undefined;
  #block = Buffer.allocUnsafeSlow(maxBlockBytes);
  #other = Buffer.allocUnsafeSlow(maxBlockBytes);
  #filled = 0;
  #written = 0;
  /** Offset of the media in the file. */
  #base = 0;
  #pending: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** Bytes of media so far. */
  get length(): number {
    return this.#written + this.#filled;
  }

  /** Whether there is enough media for {@link flush}. */
  get hasFullBlock(): boolean {
    return this.#filled >= blockBytes;
  }

  /** Whether there is so much media that {@link flush} must be called. */
  get mustFlush(): boolean {
    return this.#filled >= fullBytes;
  }

  /** Whether writing has begun. */
  get hasStarted(): boolean {
    return this.#file !== undefined;
  }

  /** Adds a part of `bytes`. */
  add(bytes: Buffer, from: number, to: number): void {
    this.#demandRoom(to - from);
    this.#filled += bytes.copy(this.#block, this.#filled, from, to);
  }

  /** Adds a 32-bit number. */
  addNumber(value: number): void {
    this.#demandRoom(4);
    this.#filled = this.#block.writeUInt32BE(value, this.#filled);
  }

  /**
   * Creates the file, whose media begins at `base`.
   *
   * @throws MillraceError from {@link openOutputFile}.
   */
  async begin(base: number): Promise<void> {
    this.#base = base;
    this.#file = await openOutputFile(this.#path, 'w');
  }

  /**
   * Starts writing the added media, once the previous write has finished.
   *
   * @throws MillraceError from {@link OutputFile.write}.
   */
  async flush(): Promise<void> {
    await this.#pending;
    const bytes = this.#block.subarray(0, this.#filled);
    this.#pending = this.#write(bytes, this.#base + this.#written);
    // The write is awaited before the next one, or in finish(). Until then its failure must not count as an unhandled
    // rejection.
    this.#pending.catch(() => undefined);
    this.#written += this.#filled;
    this.#filled = 0;
    [this.#block, this.#other] = [this.#other, this.#block];
  }

  /** Writes the remaining media, and `head` before all media. */
  async finish(head: Buffer): Promise<void> {
    await this.flush();
    await this.#pending;
    await this.#write(head, 0);
    await this.#file?.close();
    this.#file = undefined;
  }

  /** Closes and truncates an unfinished file. */
  async abandon(): Promise<void> {
    await this.#pending.catch(() => undefined);
    const file = this.#file;
    this.#file = undefined;
    if (file === undefined) return;
    await file.close();
    await (await openOutputFile(this.#path, 'w')).close();
  }

  async #write(bytes: Buffer, position: number): Promise<void> {
    if (this.#file === undefined) throw new Error('the result was not started');
    await this.#file.write(bytes, position);
  }

  #demandRoom(bytes: number): void {
    if (this.#filled + bytes > maxBlockBytes) decline('its pictures are too large');
  }
}
