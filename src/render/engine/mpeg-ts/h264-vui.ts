import type { BitReader } from '../binary/bit-reader.ts';
import { decline } from '../binary/fast-path-declined.ts';

/** Display properties of pictures. */
export interface Vui {
  /** Pixel aspect ratio; absent if it is not declared. */
  readonly pixelAspect?: { readonly num: number; readonly den: number };
  /** Absent if not declared. */
  readonly colors?: Colors;
}

/** Color properties, as code points of ITU-T H.273. */
interface Colors {
  readonly primaries: number;
  readonly transfer: number;
  readonly matrix: number;
  readonly fullRange: boolean;
}

/** Pixel aspect ratios by their index, from 1 (ITU-T H.264 table E-1). */
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

/**
 * Maximum declared duration of a picture in seconds. The media library relies on the declared duration. Without a
 * declaration, it treats longer durations as clock jumps.
 */
const maxFrameSeconds = 2;
const maxPictures = 16;

/** Reads the usability information at the end of a sequence parameter set (ITU-T H.264 §E.1.1). */
export function parseVui(bits: BitReader): Vui {
  const pixelAspect = bits.readFlag() ? readPixelAspect(bits) : undefined;
  if (bits.readFlag()) bits.readFlag();
  const colors = bits.readFlag() ? readColors(bits) : undefined;
  if (bits.readFlag()) {
    bits.readUnsignedUpTo(5);
    bits.readUnsignedUpTo(5);
  }
  if (bits.readFlag()) checkTiming(bits);
  const [nalBuffering, vclBuffering] = [skipBuffering(bits), skipBuffering(bits)];
  if (nalBuffering || vclBuffering) bits.readFlag();
  bits.readFlag();
  if (bits.readFlag()) skipRestrictions(bits);
  return { ...(pixelAspect && { pixelAspect }), ...(colors && { colors }) };
}

/** Checks the duration of pictures, which is two clock ticks. */
function checkTiming(bits: BitReader): void {
  const [ticks, scale] = [bits.readBits(32), bits.readBits(32)];
  bits.readFlag();
  if (ticks === 0 || scale === 0 || (2 * ticks) / scale > maxFrameSeconds)
    decline('its pictures have an impossible duration');
}

/** Skips the decoder buffer parameters, if there are any (ITU-T H.264 §E.1.2). */
function skipBuffering(bits: BitReader): boolean {
  if (!bits.readFlag()) return false;
  const buffers = bits.readUnsignedUpTo(31) + 1;
  bits.readBits(8);
  for (let buffer = 0; buffer < buffers; buffer += 1) {
    bits.readUnsigned();
    bits.readUnsigned();
    bits.readFlag();
  }
  bits.readBits(20);
  return true;
}

function skipRestrictions(bits: BitReader): void {
  bits.readFlag();
  for (const max of [16, 16, 16, 16, maxPictures, maxPictures]) bits.readUnsignedUpTo(max);
}

function readPixelAspect(bits: BitReader) {
  const index = bits.readBits(8);
  const [num, den] =
    index === customAspect ? [bits.readBits(16), bits.readBits(16)] : (pixelAspects[index - 1] ?? [0, 0]);
  return num === 0 || den === 0 ? undefined : { num, den };
}

function readColors(bits: BitReader): Colors | undefined {
  bits.readBits(3);
  const fullRange = bits.readFlag();
  if (!bits.readFlag()) return undefined;
  return { primaries: bits.readBits(8), transfer: bits.readBits(8), matrix: bits.readBits(8), fullRange };
}
