import { BitReader } from '../binary/bit-reader.ts';
import { undefinedIfDeclined } from '../binary/fast-path-declined.ts';
import { hasNalUnits, type NalCodec, nalTypeOf, nalUnitsOf } from './nal-units.ts';
import { readObus } from './obus.ts';
import { hasRecoveryPoint } from './recovery-point.ts';

/** NAL unit types (ITU-T H.264 table 7-1, H.265 table 7-1). */
const h264Types = { slice: 1, partition: 2, keySlice: 5, sei: 6 } as const;
const hevcTypes = { firstKeySlice: 16, lastKeySlice: 23, lastSlice: 31, sei: 39 } as const;
/** Types of slices that refer to no other picture, modulo 5: I and SI (ITU-T H.264 table 7-6). */
const intraSlices: ReadonlySet<number> = new Set([2, 4]);
/** Types of OBUs (AV1 specification, §6.2.2). */
const obuTypes = { sequenceHeader: 1, frameHeader: 3, frame: 6 } as const;

/**
 * Distinguishes key frames from other frames that a file marks as key frames. mp4parse-rust's `no_timescale.mp4` marks
 * every frame (seen 2026-11-28).
 */
export class KeyFrameReader {
  readonly #codec: string;
  readonly #extradata: Buffer;
  /** Whether a frame was wrongly called a key frame. Then only frames that tell are trusted. */
  isMisled = false;

  /**
   * @param codec - FFmpeg's name of the codec.
   * @param extradata - header of the stream; empty for a stream without one.
   */
  constructor(codec: string, extradata: Buffer) {
    this.#codec = codec;
    this.#extradata = extradata;
  }

  /** Returns whether decoding can begin at a frame that its file calls a key frame. */
  isKeyFrame(frame: Buffer): boolean {
    const tells = this.tells(frame);
    if (tells === false) this.isMisled = true;
    return tells ?? !this.isMisled;
  }

  /** Returns whether a frame tells that decoding can begin there; undefined if it does not tell. */
  tells(frame: Buffer): boolean | undefined {
    return beginsDecoding(this.#codec, this.#extradata, frame);
  }
}

/**
 * Returns whether decoding can begin at a frame, by the frame itself.
 *
 * @param codec - FFmpeg's name of the codec.
 * @param extradata - header of the stream; empty for a stream without one.
 * @param frame - a packet of the stream.
 * @returns undefined if the frame does not tell. In H.264, that is a frame that refers to no other frame, while later
 * frames may refer to earlier ones. In AV1, it is a packet that only shows an earlier frame.
 */
export function beginsDecoding(codec: string, extradata: Buffer, frame: Buffer): boolean | undefined {
  if (hasNalUnits(codec)) {
    return undefinedIfDeclined(() => nalKeyFrame[codec](nalUnitsOf(codec, extradata, frame)));
  }
  switch (codec) {
    case 'av1':
      return isAv1Key(frame);
    case 'vp8':
      // RFC 6386, §9.1.
      return frame[0] === undefined ? undefined : (frame[0] & 1) === 0;
    case 'vp9':
      return isVp9Key(frame);
    default:
      return undefined;
  }
}

const nalKeyFrame: Readonly<Record<NalCodec, (units: readonly Buffer[]) => boolean | undefined>> = {
  h264: isH264Key,
  hevc: isHevcKey,
};

function isH264Key(units: readonly Buffer[]): boolean | undefined {
  let isIntra = true;
  for (const unit of units) {
    const type = nalTypeOf('h264', unit);
    if (type === h264Types.keySlice) return true;
    if (type === h264Types.sei && hasRecoveryPoint(unit.subarray(1))) return true;
    if (type === h264Types.slice || type === h264Types.partition) isIntra &&= isIntraSlice(unit);
  }
  return isIntra ? undefined : false;
}

/** Reads the beginning of a slice (ITU-T H.264 §7.3.3): its first macroblock and its type. */
function isIntraSlice(unit: Buffer): boolean {
  const bits = new BitReader(unit.subarray(1, 16));
  bits.readUnsigned();
  return intraSlices.has(bits.readUnsigned() % 5);
}

function isHevcKey(units: readonly Buffer[]): boolean | undefined {
  for (const unit of units) {
    const type = nalTypeOf('hevc', unit);
    if (type === hevcTypes.sei && hasRecoveryPoint(unit.subarray(2))) return true;
    if (type <= hevcTypes.lastSlice) return type >= hevcTypes.firstKeySlice && type <= hevcTypes.lastKeySlice;
  }
  return undefined;
}

/** Reads the beginning of the first frame header of a temporal unit (AV1 specification, §5.9.2). */
function isAv1Key(unit: Buffer): boolean | undefined {
  for (const { type, body } of readObus(unit)) {
    // Pictures with a reduced header are always key frames. Such streams are still pictures (§5.5.1).
    if (type === obuTypes.sequenceHeader && ((body[0] ?? 0) & 0x08) !== 0) return true;
    if (type !== obuTypes.frameHeader && type !== obuTypes.frame) continue;
    const [first] = body;
    // A frame that was decoded before can be a key frame, too.
    if (first === undefined || (first & 0x80) !== 0) return undefined;
    return (first & 0x60) === 0;
  }
  return undefined;
}

/** Reads the beginning of an uncompressed header (VP9 Bitstream & Decoding Process Specification, §6.2). */
function isVp9Key(frame: Buffer): boolean | undefined {
  const [first = 0, second = 0] = frame;
  if (first >> 6 !== 2) return undefined;
  // Profile 3 has a reserved bit before the two that follow: show_existing_frame and frame_type.
  const bits = ((first << 8) | second) >> ((first & 0x30) === 0x30 ? 9 : 10);
  return (bits & 2) !== 0 ? undefined : (bits & 1) === 0;
}
