import { decline } from './fast-path-declined.ts';

/** Reads the fields of a box in order, and declines a box that is too short for them. */
export class FieldReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Number of unread bytes. */
  get remaining(): number {
    return this.#bytes.length - this.#at;
  }

  u8(): number {
    return this.#bytes.readUInt8(this.#take(1));
  }

  u16(): number {
    return this.#bytes.readUInt16BE(this.#take(2));
  }

  u32(): number {
    return this.#bytes.readUInt32BE(this.#take(4));
  }

  i32(): number {
    return this.#bytes.readInt32BE(this.#take(4));
  }

  /** Reads a 64-bit number; declines one that a double cannot represent exactly. */
  u64(): number {
    return toSafeInteger(this.#bytes.readBigUInt64BE(this.#take(8)));
  }

  i64(): number {
    return toSafeInteger(this.#bytes.readBigInt64BE(this.#take(8)));
  }

  /** Reads the version (8 bits) and flags (24 bits) at the start of a full box. */
  versionAndFlags(): { readonly version: number; readonly flags: number } {
    const word = this.u32();
    return { version: word >>> 24, flags: word & 0xff_ffff };
  }

  /** Returns the bytes of a table with `count` entries, and declines a box that is too short for it. */
  table(count: number, entryBytes: number): Buffer {
    return this.bytes(count * entryBytes);
  }

  /** Returns the next bytes without copying them. */
  bytes(length: number): Buffer {
    const at = this.#take(length);
    return this.#bytes.subarray(at, at + length);
  }

  skip(length: number): void {
    this.#take(length);
  }

  #take(length: number): number {
    if (length > this.remaining) decline('a box is too short for its declared contents');
    const at = this.#at;
    this.#at += length;
    return at;
  }
}

function toSafeInteger(value: bigint): number {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : decline('one of its numbers is too large');
}
