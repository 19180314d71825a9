/**
 * Returns a packet's bytes without the parts that belong only to its container, so that copies can be compared. For
 * H.264 and HEVC these are the slices, because lengths or start codes, parameter sets and delimiters differ between
 * containers. For AAC it is the frame without its ADTS header. For AV1 it is everything except temporal delimiters,
 * which AV1 in Matroska and ISO base media files omits. For WavPack it is the blocks without the half of their headers
 * that Matroska omits.
 */
export function essenceOf(codec: string, data: Buffer): Buffer {
  switch (codec) {
    case 'h264':
      return Buffer.concat(nalUnits(data).filter((unit) => ((unit[0] ?? 0) & 31) < 6));
    case 'hevc':
      return Buffer.concat(nalUnits(data).filter((unit) => (((unit[0] ?? 0) >> 1) & 63) < 32));
    case 'aac':
      return withoutAdtsHeader(data);
    case 'av1':
      // A temporal delimiter has no content: its header with a length of 0 (AV1 specification, 5.6).
      return data[0] === 0x12 && data[1] === 0 ? data.subarray(2) : data;
    case 'wavpack':
      return Buffer.concat(wavpackBlocks(data));
    default:
      return data;
  }
}

/**
 * Splits a frame of H.264 or HEVC into units. Uses lengths of four bytes if those add up, because a length may look
 * like a start code; otherwise start codes.
 */
function nalUnits(data: Buffer): Buffer[] {
  return lengthPrefixedUnits(data) ?? annexBUnits(data);
}

const startCode = Buffer.from([0, 0, 1]);

function annexBUnits(data: Buffer): Buffer[] {
  const units: Buffer[] = [];
  for (let at = data.indexOf(startCode); at >= 0; ) {
    const next = data.indexOf(startCode, at + 3);
    units.push(withoutZeros(data.subarray(at + 3, next < 0 ? data.length : next)));
    at = next;
  }
  return units;
}

function lengthPrefixedUnits(data: Buffer): Buffer[] | undefined {
  const units: Buffer[] = [];
  let at = 0;
  while (at + 4 <= data.length) {
    const end = at + 4 + data.readUInt32BE(at);
    units.push(withoutZeros(data.subarray(at + 4, end)));
    at = end;
  }
  return at === data.length ? units : undefined;
}

/** Removes trailing zeros. A unit never ends in zero bytes; those after it belong to the next start code. */
function withoutZeros(unit: Buffer): Buffer {
  let end = unit.length;
  while (end > 0 && unit[end - 1] === 0) end -= 1;
  return unit.subarray(0, end);
}

function withoutAdtsHeader(data: Buffer): Buffer {
  const isAdts = data[0] === 0xff && ((data[1] ?? 0) & 0xf6) === 0xf0;
  const bytes = ((data[1] ?? 0) & 1) === 1 ? 7 : 9;
  return isAdts ? data.subarray(bytes) : data;
}

/**
 * Returns the blocks from their sample count on. The name, the size, the version, and the position in the file precede
 * it (https://www.wavpack.com/WavPack5FileFormat.pdf, §2.0).
 */
function wavpackBlocks(data: Buffer): Buffer[] {
  const blocks: Buffer[] = [];
  for (let at = 0; at + 32 <= data.length; ) {
    const end = at + 8 + data.readUInt32LE(at + 4);
    blocks.push(data.subarray(at + 20, end));
    at = end;
  }
  return blocks;
}
