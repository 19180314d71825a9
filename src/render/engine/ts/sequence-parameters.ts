import { decline } from '../mp4/declined.ts';
import { BitReader } from './bits.ts';

/** What a sequence parameter set says of its pictures. */
export interface SequenceParameters {
  readonly profile: number;
  readonly chromaFormat: number;
  readonly lumaDepth: number;
  readonly chromaDepth: number;
  /** Size in pixels, after cropping. */
  readonly width: number;
  readonly height: number;
  /** Width of a pixel against its height; absent if it is not given. */
  readonly pixelAspect?: { readonly num: number; readonly den: number };
  /** Numbers of ITU-T H.273; absent if they are not given. */
  readonly colors?: Colors;
}

/** How samples become colors. */
export interface Colors {
  readonly primaries: number;
  readonly transfer: number;
  readonly matrix: number;
  readonly fullRange: boolean;
}

/** Profiles whose parameter sets name their sampling and depth (ITU-T H.264 §7.3.2.1.1). */
const highProfiles = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);

/** Shapes of a pixel by their numbers (ITU-T H.264 table E-1), from 1 on. */
const pixelAspects: readonly (readonly [number, number])[] = [
  ...([
    [1, 1],
    [12, 11],
    [10, 11],
    [16, 11],
    [40, 33],
    [24, 11],
    [20, 11],
    [32, 11],
  ] as const),
  ...([
    [80, 33],
    [18, 11],
    [15, 11],
    [64, 33],
    [160, 99],
    [4, 3],
    [3, 2],
    [2, 1],
  ] as const),
];
const customAspect = 255;

/** Pixels that a picture may be wide or high: the highest level allows fewer. */
const maxPixels = 16_384;

/**
 * Reads a sequence parameter set (ITU-T H.264 §7.3.2.1.1) as far as a file header needs it.
 *
 * @param unit - the NAL unit with its header.
 * @throws Declined for sets that are malformed or interlaced.
 */
export function readSequenceParameters(unit: Buffer): SequenceParameters {
  const bits = new BitReader(withoutEscapes(unit.subarray(1)));
  const profile = bits.read(8);
  bits.read(16);
  bits.unsigned();
  const format = readFormat(bits, profile);
  bits.unsigned();
  skipPictureOrder(bits);
  bits.unsigned();
  bits.flag();
  const [columns, rows] = [bits.unsigned() + 1, bits.unsigned() + 1];
  if (!bits.flag()) decline('its pictures may be interlaced');
  bits.flag();
  const cropped = bits.flag() ? readCrop(bits, format.chromaFormat) : { width: 0, height: 0 };
  const size = { width: columns * 16 - cropped.width, height: rows * 16 - cropped.height };
  if (Math.min(size.width, size.height) < 1 || Math.max(columns, rows) * 16 > maxPixels) {
    decline('its pictures have an impossible size');
  }
  return { profile, ...format, ...size, ...(bits.flag() ? readUsability(bits) : {}) };
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
  if (!highProfiles.has(profile)) return { chromaFormat: 1, lumaDepth: 8, chromaDepth: 8 };
  const chromaFormat = bits.unsigned();
  if (chromaFormat > 3 || (chromaFormat === 3 && bits.flag())) decline('its colors are stored in an unusual way');
  const [lumaDepth, chromaDepth] = [bits.unsigned() + 8, bits.unsigned() + 8];
  if (Math.max(lumaDepth, chromaDepth) > 14) decline('its samples have an impossible depth');
  bits.flag();
  if (bits.flag()) skipScaling(bits, chromaFormat === 3 ? 12 : 8);
  return { chromaFormat, lumaDepth, chromaDepth };
}

/** Skips scaling lists (ITU-T H.264 §7.3.2.1.1.1). */
function skipScaling(bits: BitReader, lists: number): void {
  for (let list = 0; list < lists; list += 1) {
    if (!bits.flag()) continue;
    let [last, next] = [8, 8];
    for (let at = 0; at < (list < 6 ? 16 : 64) && next !== 0; at += 1) {
      next = (last + bits.signed() + 256) % 256;
      if (next !== 0) last = next;
    }
  }
}

function skipPictureOrder(bits: BitReader): void {
  const type = bits.unsigned();
  if (type === 0) bits.unsigned();
  else if (type === 1) {
    bits.flag();
    bits.signed();
    bits.signed();
    const frames = bits.unsigned();
    if (frames > 255) decline('its pictures have an impossible order');
    for (let frame = 0; frame < frames; frame += 1) bits.signed();
  } else if (type !== 2) decline('its pictures have an impossible order');
}

/** Pixels that are cropped, given as numbers of chroma samples (ITU-T H.264 §7.4.2.1.1). */
function readCrop(bits: BitReader, chromaFormat: number) {
  const [left, right, top, bottom] = [bits.unsigned(), bits.unsigned(), bits.unsigned(), bits.unsigned()];
  const [across, down] = [chromaFormat === 1 || chromaFormat === 2 ? 2 : 1, chromaFormat === 1 ? 2 : 1];
  return { width: (left + right) * across, height: (top + bottom) * down };
}

/** Reads the beginning of the usability information (ITU-T H.264 §E.1.1); the rest is for decoders. */
function readUsability(bits: BitReader): Pick<SequenceParameters, 'pixelAspect' | 'colors'> {
  const pixelAspect = bits.flag() ? readPixelAspect(bits) : undefined;
  if (bits.flag()) bits.flag();
  const colors = bits.flag() ? readColors(bits) : undefined;
  return { ...(pixelAspect && { pixelAspect }), ...(colors && { colors }) };
}

function readPixelAspect(bits: BitReader) {
  const index = bits.read(8);
  const [num, den] = index === customAspect ? [bits.read(16), bits.read(16)] : (pixelAspects[index - 1] ?? [0, 0]);
  return num === 0 || den === 0 ? undefined : { num, den };
}

function readColors(bits: BitReader): Colors | undefined {
  bits.read(3);
  const fullRange = bits.flag();
  if (!bits.flag()) return undefined;
  return { primaries: bits.read(8), transfer: bits.read(8), matrix: bits.read(8), fullRange };
}
