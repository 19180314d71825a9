import { decline } from './fast-path-declined.ts';

/** Reads the fields of a box one after the other, and declines where the box is too short for them. */
export class FieldReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Bytes that are left. */
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

  /** A 64-bit number, as far as a double tells it exactly. */
  u64(): number {
    return toSafeInteger(this.#bytes.readBigUInt64BE(this.#take(8)));
  }

  i64(): number {
    return toSafeInteger(this.#bytes.readBigInt64BE(this.#take(8)));
  }

  /** The version (8 bits) and flags (24 bits) that a full box begins with. */
  versionAndFlags(): { readonly version: number; readonly flags: number } {
    const word = this.u32();
    return { version: word >>> 24, flags: word & 0xff_ffff };
  }

  /** The bytes of `count` entries of a table, which the box must hold. */
  table(count: number, entryBytes: number): Buffer {
    return this.bytes(count * entryBytes);
  }

  /** The next bytes, not copied. */
  bytes(length: number): Buffer {
    const at = this.#take(length);
    return this.#bytes.subarray(at, at + length);
  }

  skip(length: number): void {
    this.#take(length);
  }

  #take(length: number): number {
    if (length > this.remaining) decline('a box is too short for what it should hold');
    const at = this.#at;
    this.#at += length;
    return at;
  }
}

function toSafeInteger(value: bigint): number {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : decline('a number in it is too large');
}
