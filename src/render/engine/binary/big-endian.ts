/** Encodes 32-bit numbers. */
export function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(4 * values.length);
  values.forEach((value, at) => {
    bytes.writeUInt32BE(value, 4 * at);
  });
  return bytes;
}

/** Encodes 16-bit numbers. */
export function u16(...values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(2 * values.length);
  values.forEach((value, at) => {
    bytes.writeUInt16BE(value, 2 * at);
  });
  return bytes;
}

/** Encodes 64-bit numbers. */
export function u64(...values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(8 * values.length);
  values.forEach((value, at) => {
    bytes.writeBigUInt64BE(BigInt(value), 8 * at);
  });
  return bytes;
}

/** Encodes text with one byte per character. */
export function latin1(letters: string): Buffer {
  return Buffer.from(letters, 'latin1');
}
