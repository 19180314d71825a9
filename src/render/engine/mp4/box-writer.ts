import { u32 } from '../binary/big-endian.ts';

export { latin1, u16, u32, u64 } from '../binary/big-endian.ts';

/** Builds a box from its parts. */
export function box(type: string, ...parts: readonly Buffer[]): Buffer {
  return Buffer.concat(boxParts(type, parts));
}

/** Returns a box as its header and its parts, which are not copied. */
export function boxParts(type: string, parts: readonly Buffer[]): Buffer[] {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(
    parts.reduce((sum, { length }) => sum + length, 8),
    0,
  );
  header.write(type, 4, 'latin1');
  return [header, ...parts];
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
  #bytes = new DataView(new ArrayBuffer(1024));
  #length = 0;

  add(value: number): void {
    if (this.#length === this.#bytes.byteLength) {
      this.#bytes = new DataView(this.#bytes.buffer.transfer(2 * this.#length));
    }
    this.#bytes.setUint32(this.#length, value);
    this.#length += 4;
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
    return Buffer.from(this.#bytes.buffer, 0, this.#length);
  }
}
