/** Writes bit fields in the format of parameter sets (ITU-T H.264 §9.1). */
export class BitWriter {
  #bits = '';

  /** Writes an unsigned number with the given number of bits. */
  write(value: number, count: number): this {
    this.#bits += value.toString(2).padStart(count, '0');
    return this;
  }

  /** Writes an unsigned Exp-Golomb code. */
  unsigned(value: number): this {
    const code = (value + 1).toString(2);
    this.#bits += '0'.repeat(code.length - 1) + code;
    return this;
  }

  /** Writes a signed Exp-Golomb code. */
  signed(value: number): this {
    return this.unsigned(value > 0 ? 2 * value - 1 : -2 * value);
  }

  /** Returns the written bytes, with the bit that ends a payload if `ended`. */
  bytes(ended = true): Buffer {
    const bits = ended ? `${this.#bits}1` : this.#bits;
    const bytes = bits.match(/.{1,8}/g) ?? [];
    return Buffer.from(bytes.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)));
  }
}

/** Inserts emulation prevention bytes, which keep start codes out of a NAL unit (ITU-T H.264 §7.4.1.1). */
export function withEscapes(unit: Buffer): Buffer {
  const bytes: number[] = [];
  for (const byte of unit) {
    if (byte <= 3 && bytes.at(-1) === 0 && bytes.at(-2) === 0) bytes.push(3);
    bytes.push(byte);
  }
  return Buffer.from(bytes);
}
