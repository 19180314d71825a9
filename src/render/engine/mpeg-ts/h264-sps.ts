import { BitReader } from '../binary/bit-reader.ts';
import { decline } from '../binary/fast-path-declined.ts';
import { withoutEscapes } from '../formats/nal-units.ts';
import { skipScalingLists } from './h264-scaling-lists.ts';
import { parseVui, type Vui } from './h264-vui.ts';

/** Content of a sequence parameter set. */
export interface Sps extends Vui {
  readonly id: number;
  readonly profile: number;
  readonly chromaFormat: number;
  readonly lumaDepth: number;
  readonly chromaDepth: number;
  /** Size in pixels, after cropping. */
  readonly width: number;
  readonly height: number;
}

/**
 * Baseline and Main, followed by the profiles whose parameter sets declare chroma format and bit depth (ITU-T H.264
 * §7.3.2.1.1).
 */
const lowProfiles = new Set([66, 77]);
const highProfiles = new Set([100, 110, 122, 244]);

/** Limits on the sets of a stream, the bits of its counters, and the reference pictures (ITU-T H.264 §7.4.2.1.1). */
const maxSets = 32;
const maxCounterBits = 16;
const maxReferenceFrames = 16;

/** Maximum width or height of a picture in pixels. The highest level allows fewer. */
const maxPixels = 16_384;

/**
 * Reads a sequence parameter set (ITU-T H.264 §7.3.2.1.1). All of it is checked, because a damaged one spoils every
 * picture.
 *
 * @param unit - the NAL unit with its header.
 * @throws FastPathDeclined for malformed or interlaced sets.
 */
export function parseSps(unit: Buffer): Sps {
  const bits = new BitReader(withoutEscapes(unit.subarray(1)));
  const profile = bits.readBits(8);
  bits.readBits(16);
  const id = bits.readUnsignedUpTo(maxSets - 1);
  const format = readChromaFormat(bits, profile);
  bits.readUnsignedUpTo(maxCounterBits - 4);
  skipPictureOrder(bits);
  bits.readUnsignedUpTo(maxReferenceFrames);
  bits.readFlag();
  const [columns, rows] = [bits.readUnsigned() + 1, bits.readUnsigned() + 1];
  if (!bits.readFlag()) decline('its pictures may be interlaced');
  bits.readFlag();
  const crop = bits.readFlag() ? readCrop(bits, format.chromaFormat) : { width: 0, height: 0 };
  const size = { width: columns * 16 - crop.width, height: rows * 16 - crop.height };
  if (Math.min(size.width, size.height) < 1 || Math.max(columns, rows) * 16 > maxPixels) {
    decline('its pictures have an impossible size');
  }
  const usability = bits.readFlag() ? parseVui(bits) : {};
  bits.expectEnd();
  return { id, profile, ...format, ...size, ...usability };
}

function readChromaFormat(bits: BitReader, profile: number) {
  if (lowProfiles.has(profile)) return { chromaFormat: 1, lumaDepth: 8, chromaDepth: 8 };
  if (!highProfiles.has(profile)) decline('its pictures have an unusual profile');
  const chromaFormat = bits.readUnsigned();
  if (chromaFormat > 3 || (chromaFormat === 3 && bits.readFlag())) decline('its colors are stored in an unusual way');
  const [lumaDepth, chromaDepth] = [bits.readUnsigned() + 8, bits.readUnsigned() + 8];
  if (lumaDepth > 14 || chromaDepth !== lumaDepth) decline('its samples have an unusual depth');
  bits.readFlag();
  if (bits.readFlag()) skipScalingLists(bits, chromaFormat === 3 ? 12 : 8);
  return { chromaFormat, lumaDepth, chromaDepth };
}

function skipPictureOrder(bits: BitReader): void {
  const type = bits.readUnsigned();
  if (type === 0) bits.readUnsignedUpTo(maxCounterBits - 4);
  else if (type === 1) {
    bits.readFlag();
    bits.readSigned();
    bits.readSigned();
    const frames = bits.readUnsignedUpTo(255);
    for (let frame = 0; frame < frames; frame += 1) bits.readSigned();
  } else if (type !== 2) decline('its pictures have an impossible order');
}

/** Reads the cropping, which is stored in chroma samples, and converts it to pixels (ITU-T H.264 §7.4.2.1.1). */
function readCrop(bits: BitReader, chromaFormat: number) {
  const [leftCrop, rightCrop, topCrop, bottomCrop] = [
    bits.readUnsigned(),
    bits.readUnsigned(),
    bits.readUnsigned(),
    bits.readUnsigned(),
  ];
  const [across, down] = [chromaFormat === 1 || chromaFormat === 2 ? 2 : 1, chromaFormat === 1 ? 2 : 1];
  return { width: (leftCrop + rightCrop) * across, height: (topCrop + bottomCrop) * down };
}
