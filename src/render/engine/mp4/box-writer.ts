import { u32 } from '../binary/big-endian.ts';

export { latin1, u16, u32, u64 } from '../binary/big-endian.ts';

/** Builds a box from its parts. */
export function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(8);
  const size = parts.reduce((sum, { length }) => sum + length, 8);
  header.writeUInt32BE(size, 0);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, ...parts], size);
}

/** Builds a padding box of the given size, at least eight bytes. */
export function freeBox(bytes: number): Buffer {
  return box('free', Buffer.alloc(bytes - 8));
}

/** Builds a box that begins with a version and flags. */
export function fullBox(type: string, version: number, flags: number, ...parts: readonly Buffer[]): Buffer {
  return box(type, u32(version * 0x100_0000 + flags), ...parts);
}

/** A growing table of 32-bit numbers. */
export class TableWriter {
  #bytes = Buffer.allocUnsafe(1024);
  #length = 0;

  add(value: number): void {
    if (this.#length === this.#bytes.length) {
      const larger = Buffer.allocUnsafe(2 * this.#length);
      this.#bytes.copy(larger);
      this.#bytes = larger;
    }
    this.#length = this.#bytes.writeUInt32BE(value, this.#length);
  }

  /** Adds a 64-bit number, which counts as two 32-bit numbers. */
  addLong(value: number): void {
    this.add(Math.floor(value / 2 ** 32));
    this.add(value % 2 ** 32);
  }

  /** Number of 32-bit numbers in the table. */
  get count(): number {
    return this.#length / 4;
  }

  /** Returns the bytes of the table. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}
