/** Writes fields of bits, as parameter sets have them (ITU-T H.264 §9.1). */
export class BitWriter {
  #bits = '';

  /** An unsigned number of so many bits. */
  write(value: number, count: number): this {
    this.#bits += value.toString(2).padStart(count, '0');
    return this;
  }

  /** An unsigned Exp-Golomb code. */
  unsigned(value: number): this {
    const code = (value + 1).toString(2);
    this.#bits += '0'.repeat(code.length - 1) + code;
    return this;
  }

  /** A signed Exp-Golomb code. */
  signed(value: number): this {
    return this.unsigned(value > 0 ? 2 * value - 1 : -2 * value);
  }

  /** What was written, with the bit that ends a payload if `ended`. */
  bytes(ended = true): Buffer {
    const bits = ended ? `${this.#bits}1` : this.#bits;
    const bytes = bits.match(/.{1,8}/g) ?? [];
    return Buffer.from(bytes.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)));
  }
}

/** Keeps start codes out of a NAL unit (ITU-T H.264 §7.4.1.1). */
export function withEscapes(unit: Buffer): Buffer {
  const bytes: number[] = [];
  for (const byte of unit) {
    if (byte <= 3 && bytes.at(-1) === 0 && bytes.at(-2) === 0) bytes.push(3);
    bytes.push(byte);
  }
  return Buffer.from(bytes);
}
