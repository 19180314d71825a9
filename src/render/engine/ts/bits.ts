import { decline } from '../mp4/declined.ts';

/** Leading zeros that an Exp-Golomb code may have: more would not fit into 32 bits. */
const maxZeros = 31;

/** Reads fields of bits, and declines where the bytes end before them. */
export class BitReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** An unsigned number of up to 32 bits. */
  read(count: number): number {
    let value = 0;
    for (let left = count; left > 0; left -= 1) value = value * 2 + this.#bit();
    return value;
  }

  flag(): boolean {
    return this.#bit() === 1;
  }

  /** An unsigned Exp-Golomb code (ITU-T H.264 §9.1). */
  unsigned(): number {
    let zeros = 0;
    while (this.#bit() === 0) {
      zeros += 1;
      if (zeros > maxZeros) decline('a number in its parameter sets is too large');
    }
    return 2 ** zeros - 1 + this.read(zeros);
  }

  /** A signed Exp-Golomb code. */
  signed(): number {
    const code = this.unsigned();
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
  }

  #bit(): number {
    const byte = this.#bytes[this.#at >> 3];
    if (byte === undefined) decline('its parameter sets are too short');
    const bit = (byte >> (7 - (this.#at & 7))) & 1;
    this.#at += 1;
    return bit;
  }
}
