import { decline } from '../binary/fast-path-declined.ts';
import type { BitReader } from './bit-reader.ts';

/** How pictures are to be shown. */
export interface Usability {
  /** Width of a pixel against its height; absent if it is not given. */
  readonly pixelAspect?: { readonly num: number; readonly den: number };
  /** Absent if they are not given. */
  readonly colors?: Colors;
}

/** How samples become colors, by the numbers of ITU-T H.273. */
interface Colors {
  readonly primaries: number;
  readonly transfer: number;
  readonly matrix: number;
  readonly fullRange: boolean;
}

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

/** Seconds of a picture, at most: the media library believes what is declared, and takes its clock to jump otherwise. */
const maxPictureSeconds = 2;
const maxPictures = 16;

/** Reads the usability information at the end of a sequence parameter set (ITU-T H.264 §E.1.1). */
export function readUsability(bits: BitReader): Usability {
  const pixelAspect = bits.flag() ? readPixelAspect(bits) : undefined;
  if (bits.flag()) bits.flag();
  const colors = bits.flag() ? readColors(bits) : undefined;
  if (bits.flag()) {
    bits.limited(5);
    bits.limited(5);
  }
  if (bits.flag()) checkTiming(bits);
  const [units, slices] = [skipBuffering(bits), skipBuffering(bits)];
  if (units || slices) bits.flag();
  bits.flag();
  if (bits.flag()) skipRestrictions(bits);
  return { ...(pixelAspect && { pixelAspect }), ...(colors && { colors }) };
}

/** Checks how long pictures last: two ticks of a clock. */
function checkTiming(bits: BitReader): void {
  const [ticks, scale] = [bits.read(32), bits.read(32)];
  bits.flag();
  if (ticks === 0 || scale === 0 || (2 * ticks) / scale > maxPictureSeconds)
    decline('its pictures last impossibly long');
}

/** Skips the parameters of a decoder's buffer, if there are any (ITU-T H.264 §E.1.2). */
function skipBuffering(bits: BitReader): boolean {
  if (!bits.flag()) return false;
  const buffers = bits.limited(31) + 1;
  bits.read(8);
  for (let buffer = 0; buffer < buffers; buffer += 1) {
    bits.unsigned();
    bits.unsigned();
    bits.flag();
  }
  bits.read(20);
  return true;
}

function skipRestrictions(bits: BitReader): void {
  bits.flag();
  for (const most of [16, 16, 16, 16, maxPictures, maxPictures]) bits.limited(most);
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
