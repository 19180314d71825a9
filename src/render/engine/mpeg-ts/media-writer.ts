import { decline } from '../binary/fast-path-declined.ts';
import { type OutputFile, openOutputFile } from '../mp4/open-files.ts';

/** Bytes that are written at once. */
const blockBytes = 2 * 1024 * 1024;
/** Bytes with which it cannot wait any longer. */
const fullBytes = 6 * 1024 * 1024;
/** Bytes that a block may have when it is written: media is added until its reader has nothing more at hand. */
const maxBlockBytes = 12 * 1024 * 1024;

/** Gathers the media of a result and writes it. Two blocks take turns: one is filled while the other is written. */
export class MediaWriter {
  readonly #path: string;
  #file: OutputFile | undefined;
  #block = Buffer.allocUnsafeSlow(maxBlockBytes);
  #other = Buffer.allocUnsafeSlow(maxBlockBytes);
  #filled = 0;
  #written = 0;
  /** Where the media begins in the file. */
  #base = 0;
  #pending: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** Bytes of media so far. */
  get length(): number {
    return this.#written + this.#filled;
  }

  /** Whether enough was added for {@link flush}. */
  get hasFullBlock(): boolean {
    return this.#filled >= blockBytes;
  }

  /** Whether so much was added that {@link flush} has to be called. */
  get mustFlush(): boolean {
    return this.#filled >= fullBytes;
  }

  /** Whether some of it is written. */
  get hasStarted(): boolean {
    return this.#file !== undefined;
  }

  /** Adds a part of `bytes`. */
  add(bytes: Buffer, from: number, to: number): void {
    this.#demandRoom(to - from);
    this.#filled += bytes.copy(this.#block, this.#filled, from, to);
  }

  /** Adds a number of 32 bits. */
  addNumber(value: number): void {
    this.#demandRoom(4);
    this.#filled = this.#block.writeUInt32BE(value, this.#filled);
  }

  /**
   * Creates the file, whose media will begin at `base`.
   *
   * @throws MillraceError of {@link openOutputFile}.
   */
  async begin(base: number): Promise<void> {
    this.#base = base;
    this.#file = await openOutputFile(this.#path, 'w');
  }

  /**
   * Begins to write what was added, once what was added before is written.
   *
   * @throws MillraceError of {@link OutputFile.write}.
   */
  async flush(): Promise<void> {
    await this.#pending;
    const bytes = this.#block.subarray(0, this.#filled);
    this.#pending = this.#write(bytes, this.#base + this.#written);
    // It is awaited before the next one, or in finish(); until then nobody else may hear of its failure.
    this.#pending.catch(() => undefined);
    this.#written += this.#filled;
    this.#filled = 0;
    [this.#block, this.#other] = [this.#other, this.#block];
  }

  /** Writes what is left, and `head` before all media. */
  async finish(head: Buffer): Promise<void> {
    await this.flush();
    await this.#pending;
    await this.#write(head, 0);
    await this.#file?.close();
    this.#file = undefined;
  }

  /** Closes a file that is not finished, and empties it. */
  async abandon(): Promise<void> {
    await this.#pending.catch(() => undefined);
    const file = this.#file;
    this.#file = undefined;
    if (file === undefined) return;
    await file.close();
    await (await openOutputFile(this.#path, 'w')).close();
  }

  async #write(bytes: Buffer, position: number): Promise<void> {
    if (this.#file === undefined) throw new Error('the result was not begun');
    await this.#file.write(bytes, position);
  }

  #demandRoom(bytes: number): void {
    if (this.#filled + bytes > maxBlockBytes) decline('its pictures are too large');
  }
}
