/**
 * Returns a fragmented MP4 whose fragments are decoded `seconds` later, which may be negative: every `tfdt` box, of
 * version 1, has another decoding time.
 */
export function moveFragments(file: Buffer, seconds: number): Buffer {
  const bytes = Buffer.from(file);
  const scales = places(bytes, 'mdhd').map((at) => bytes.readUInt32BE(at + 16));
  const tracks = places(bytes, 'tfhd').map((at) => bytes.readUInt32BE(at + 8));
  places(bytes, 'tfdt').forEach((at, fragment) => {
    const scale = scales[(tracks[fragment] ?? 1) - 1] ?? 1;
    bytes.writeBigInt64BE(bytes.readBigInt64BE(at + 8) + BigInt(Math.round(seconds * scale)), at + 8);
  });
  return bytes;
}

/** Returns the offsets of the type names of all boxes of a type. */
function places(file: Buffer, type: string): number[] {
  const offsets: number[] = [];
  for (let at = file.indexOf(type); at >= 0; at = file.indexOf(type, at + 4)) offsets.push(at);
  return offsets;
}
