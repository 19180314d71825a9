/**
 * Byte of a header (`avcC`, `hvcC`) whose lowest two bits state how many bytes the lengths of NAL units have, less one
 * (ISO/IEC 14496-15, §5.3.3 and §8.3.3).
 */
const lengthSizeAt = { h264: 4, hevc: 21 } as const;

/** Codecs whose frames consist of NAL units. */
export type NalCodec = keyof typeof lengthSizeAt;

const startCode = Buffer.from([0, 0, 1]);
const escapeCode = Buffer.from([0, 0, 3]);

/** Whether the frames of a codec consist of NAL units. */
export function hasNalUnits(codec: string): codec is NalCodec {
  return codec in lengthSizeAt;
}

/** Whether extradata has start codes, which means that the stream repeats its parameter sets between the frames. */
export function isAnnexB(extradata: Buffer): boolean {
  return extradata.length === 0 || extradata.readUIntBE(0, Math.min(3, extradata.length)) <= 1;
}

/** Returns the type of a NAL unit (ITU-T H.264 table 7-1, H.265 table 7-1). */
export function nalTypeOf(codec: NalCodec, unit: Buffer): number {
  const first = unit[0] ?? 0;
  return codec === 'h264' ? first & 0x1f : (first >> 1) & 0x3f;
}

/** Returns the number of bytes of the lengths of NAL units, as stated by a header. */
export function lengthSizeOf(codec: NalCodec, header: Buffer): number {
  return ((header[lengthSizeAt[codec]] ?? 3) & 3) + 1;
}

/**
 * Returns the NAL units of a packet. One that does not fit into it is cut off.
 *
 * @param extradata - the header of the stream, which tells whether units follow their lengths or start codes.
 */
export function nalUnitsOf(codec: NalCodec, extradata: Buffer, bytes: Buffer): Buffer[] {
  if (isAnnexB(extradata)) return annexBUnits(bytes);
  const lengthSize = lengthSizeOf(codec, extradata);
  const units: Buffer[] = [];
  for (let at = 0; at + lengthSize <= bytes.length; ) {
    const begin = at + lengthSize;
    at = begin + bytes.readUIntBE(at, lengthSize);
    units.push(bytes.subarray(begin, at));
  }
  return units;
}

/** Returns the NAL units between start codes (ITU-T H.264 and H.265, annex B). */
export function annexBUnits(bytes: Buffer): Buffer[] {
  const units: Buffer[] = [];
  for (let at = bytes.indexOf(startCode); at >= 0; ) {
    const next = bytes.indexOf(startCode, at + 3);
    let end = next < 0 ? bytes.length : next;
    // Zeros after a unit are padding, or the first byte of a longer start code.
    while (end > at + 3 && bytes[end - 1] === 0) end -= 1;
    units.push(bytes.subarray(at + 3, end));
    at = next;
  }
  return units;
}

/**
 * Removes the emulation prevention bytes, whose purpose is to keep start codes out of a NAL unit (ITU-T H.264
 * §7.4.1.1).
 */
export function withoutEscapes(unit: Buffer): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = unit.indexOf(escapeCode); at >= 0; at = unit.indexOf(escapeCode, at + 3)) {
    parts.push(unit.subarray(from, at + 2));
    from = at + 3;
  }
  return parts.length === 0 ? unit : Buffer.concat([...parts, unit.subarray(from)]);
}
