import { decline } from './fast-path-declined.ts';

/** Maximum number of leading zeros in an Exp-Golomb code: more would not fit into 32 bits. */
const maxZeros = 31;

/** Reads bit fields, and declines if the bytes end too early. */
export class BitReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Reads an unsigned number of up to 32 bits. */
  readBits(count: number): number {
    let value = 0;
    for (let remaining = count; remaining > 0; remaining -= 1) value = value * 2 + this.#bit();
    return value;
  }

  readFlag(): boolean {
    return this.#bit() === 1;
  }

  /** Reads an unsigned Exp-Golomb code (ITU-T H.264 §9.1). */
  readUnsigned(): number {
    let zeros = 0;
    while (this.#bit() === 0) {
      zeros += 1;
      if (zeros > maxZeros) decline('a number in its parameter sets is too large');
    }
    return 2 ** zeros - 1 + this.readBits(zeros);
  }

  /** Reads an unsigned Exp-Golomb code of at most `max`. */
  readUnsignedUpTo(max: number): number {
    const value = this.readUnsigned();
    return value <= max ? value : decline('its parameter sets have impossible values');
  }

  /** Reads an unsigned Exp-Golomb code and declines unless it is `value`. */
  expectUnsigned(value: number): void {
    if (this.readUnsigned() !== value) decline('its parameter sets have unusual values');
  }

  /** Reads a signed Exp-Golomb code. */
  readSigned(): number {
    const code = this.readUnsigned();
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
  }

  /** Whether there are more bits before the bit that ends the payload (ITU-T H.264 §7.2). */
  get hasMore(): boolean {
    return this.#at < payloadEnd(this.#bytes);
  }

  /** Declines unless exactly the payload was read. */
  expectEnd(): void {
    if (this.#at !== payloadEnd(this.#bytes)) decline('its parameter sets are malformed');
  }

  #bit(): number {
    const byte = this.#bytes[this.#at >> 3];
    if (byte === undefined) decline('its parameter sets are too short');
    const bit = (byte >> (7 - (this.#at & 7))) & 1;
    this.#at += 1;
    return bit;
  }
}

/** Returns the position of the last set bit, which ends a payload. */
function payloadEnd(bytes: Buffer): number {
  const last = bytes.at(-1) ?? 0;
  return bytes.length * 8 - 1 - (last === 0 ? 0 : 31 - Math.clz32(last & -last));
}
