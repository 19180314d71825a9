import { decline } from '../binary/fast-path-declined.ts';
import { BitReader } from './bit-reader.ts';
import { skipScaling } from './scaling-lists.ts';
import { readUsability, type Usability } from './video-usability.ts';

/** What a sequence parameter set says of its pictures. */
export interface SequenceParameters extends Usability {
  readonly id: number;
  readonly profile: number;
  readonly chromaFormat: number;
  readonly lumaDepth: number;
  readonly chromaDepth: number;
  /** Size in pixels, after cropping. */
  readonly width: number;
  readonly height: number;
}

/** Baseline and Main, and the profiles whose parameter sets name their sampling and depth (ITU-T H.264 §7.3.2.1.1). */
const lowProfiles = new Set([66, 77]);
const highProfiles = new Set([100, 110, 122, 244]);

/** Sets that a stream may have, bits of its counters, and pictures that others may refer to (ITU-T H.264 §7.4.2.1.1). */
const maxSets = 32;
const maxCounterBits = 16;
const maxPictures = 16;

/** Pixels that a picture may be wide or high: the highest level allows fewer. */
const maxPixels = 16_384;

/**
 * Reads a sequence parameter set (ITU-T H.264 §7.3.2.1.1). All of it is checked, since a damaged one spoils every picture.
 *
 * @param unit - the NAL unit with its header.
 * @throws FastPathDeclined for sets that are malformed or interlaced.
 */
export function readSequenceParameters(unit: Buffer): SequenceParameters {
  const bits = new BitReader(withoutEscapes(unit.subarray(1)));
  const profile = bits.read(8);
  bits.read(16);
  const id = bits.limited(maxSets - 1);
  const format = readFormat(bits, profile);
  bits.limited(maxCounterBits - 4);
  skipPictureOrder(bits);
  bits.limited(maxPictures);
  bits.flag();
  const [columns, rows] = [bits.unsigned() + 1, bits.unsigned() + 1];
  if (!bits.flag()) decline('its pictures may be interlaced');
  bits.flag();
  const cropped = bits.flag() ? readCrop(bits, format.chromaFormat) : { width: 0, height: 0 };
  const size = { width: columns * 16 - cropped.width, height: rows * 16 - cropped.height };
  if (Math.min(size.width, size.height) < 1 || Math.max(columns, rows) * 16 > maxPixels) {
    decline('its pictures have an impossible size');
  }
  const usability = bits.flag() ? readUsability(bits) : {};
  bits.end();
  return { id, profile, ...format, ...size, ...usability };
}

/** Removes the bytes that keep start codes out of a NAL unit (ITU-T H.264 §7.4.1.1). */
export function withoutEscapes(unit: Buffer): Buffer {
  const code = Buffer.from([0, 0, 3]);
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = unit.indexOf(code); at >= 0; at = unit.indexOf(code, at + 3)) {
    parts.push(unit.subarray(from, at + 2));
    from = at + 3;
  }
  return parts.length === 0 ? unit : Buffer.concat([...parts, unit.subarray(from)]);
}

function readFormat(bits: BitReader, profile: number) {
  if (lowProfiles.has(profile)) return { chromaFormat: 1, lumaDepth: 8, chromaDepth: 8 };
  if (!highProfiles.has(profile)) decline('its pictures have an unusual profile');
  const chromaFormat = bits.unsigned();
  if (chromaFormat > 3 || (chromaFormat === 3 && bits.flag())) decline('its colors are stored in an unusual way');
  const [lumaDepth, chromaDepth] = [bits.unsigned() + 8, bits.unsigned() + 8];
  if (lumaDepth > 14 || chromaDepth !== lumaDepth) decline('its samples have an unusual depth');
  bits.flag();
  if (bits.flag()) skipScaling(bits, chromaFormat === 3 ? 12 : 8);
  return { chromaFormat, lumaDepth, chromaDepth };
}

function skipPictureOrder(bits: BitReader): void {
  const type = bits.unsigned();
  if (type === 0) bits.limited(maxCounterBits - 4);
  else if (type === 1) {
    bits.flag();
    bits.signed();
    bits.signed();
    const frames = bits.limited(255);
    for (let frame = 0; frame < frames; frame += 1) bits.signed();
  } else if (type !== 2) decline('its pictures have an impossible order');
}

/** Pixels that are cropped, given as numbers of chroma samples (ITU-T H.264 §7.4.2.1.1). */
function readCrop(bits: BitReader, chromaFormat: number) {
  const [left, right, top, bottom] = [bits.unsigned(), bits.unsigned(), bits.unsigned(), bits.unsigned()];
  const [across, down] = [chromaFormat === 1 || chromaFormat === 2 ? 2 : 1, chromaFormat === 1 ? 2 : 1];
  return { width: (left + right) * across, height: (top + bottom) * down };
}
