import { BitReader } from '../binary/bit-reader.ts';
import { decline } from '../binary/fast-path-declined.ts';
import { hasRecoveryPoint } from '../formats/recovery-point.ts';

/** NAL unit types (ITU-T H.264 table 7-1). */
const nalTypes = {
  slice: 1,
  keySlice: 5,
  sei: 6,
  sps: 7,
  pps: 8,
  accessUnitDelimiter: 9,
  endMarkers: [10, 11],
  filler: 12,
};
/** Highest type of ordinary slices: P, B and I. The other types are for switching between streams. */
const maxSliceType = 2;
const startCode = Buffer.from([0, 0, 1]);

/** Maximum number of NAL units in a picture. The highest level allows 600 slices. */
const maxUnits = 1024;

/** The NAL units of one picture. The object is reused for every picture. */
export class AccessUnit {
  /** Start and end of each unit in the bytes that were read. */
  readonly begins: number[] = [];
  readonly ends: number[] = [];
  /** Number of units. */
  count = 0;
  /** Whether decoding can begin here. */
  isKeyFrame = false;
  /** ID of the picture parameter set that its first slice refers to. */
  ppsId = 0;
  /** Size of the picture in an MP4 file, where each unit is preceded by its length. */
  size = 0;

  /**
   * Finds the units of a picture between start codes (ITU-T H.264 annex B).
   *
   * @param bytes - bytes up to the end of the picture.
   * @param begin - start of the picture.
   * @throws FastPathDeclined unless they are exactly one complete picture in an unambiguous order of units.
   */
  read(bytes: Buffer, begin: number): void {
    this.#split(bytes, begin);
    this.size = 0;
    let [slices, lastMacroblock, keySlices, hasRecovery] = [0, -1, 0, false];
    for (let at = 0; at < this.count; at += 1) {
      const [from = 0, to = 0] = [this.begins[at], this.ends[at]];
      this.size += 4 + to - from;
      const head = bytes[from] ?? 0;
      if (head > 0x7f) decline('one of its NAL units is malformed');
      const type = head & 0x1f;
      if (type === nalTypes.slice || type === nalTypes.keySlice) {
        const macroblock = firstMacroblock(bytes, from + 1);
        if (slices === 0 ? macroblock !== 0 : macroblock <= lastMacroblock)
          decline('one of its packets does not hold exactly one complete picture');
        if (slices === 0) this.ppsId = readPpsId(bytes, from + 1);
        lastMacroblock = macroblock;
        slices += 1;
        if (type === nalTypes.keySlice) keySlices += 1;
      } else if (type >= nalTypes.sei && type <= nalTypes.accessUnitDelimiter) {
        // These units may only occur before the first slice of a picture, so this one begins another picture.
        if (slices > 0 || (type === nalTypes.accessUnitDelimiter && at > 0))
          decline('one of its packets holds several pictures');
        if (type === nalTypes.sei) hasRecovery ||= hasRecoveryPoint(bytes.subarray(from + 1, to));
      } else if (slices === 0 || !(nalTypes.endMarkers.includes(type) || type === nalTypes.filler)) {
        decline(`one of its pictures has a NAL unit of type ${type}`);
      }
    }
    if (slices === 0) decline('one of its packets holds no picture');
    if (keySlices !== 0 && keySlices !== slices) decline('one of its pictures is only partly a keyframe');
    this.isKeyFrame = keySlices > 0;
    if (hasRecovery && !this.isKeyFrame) decline('decoding can begin at pictures that are not keyframes');
  }

  /** Returns copies of the parameter sets of a type. */
  parameterSets(bytes: Buffer, type: 'sps' | 'pps'): Buffer[] {
    const sets: Buffer[] = [];
    for (let at = 0; at < this.count; at += 1) {
      const unit = bytes.subarray(this.begins[at], this.ends[at]);
      if (((unit[0] ?? 0) & 0x1f) === nalTypes[type]) sets.push(Buffer.from(unit));
    }
    return sets;
  }

  /** Returns whether all parameter sets are among the known ones. */
  hasOnlyParameterSets(bytes: Buffer, knownSets: readonly Buffer[]): boolean {
    for (let at = 0; at < this.count; at += 1) {
      const [from, to] = [this.begins[at] ?? 0, this.ends[at] ?? 0];
      const type = (bytes[from] ?? 0) & 0x1f;
      if (type !== nalTypes.sps && type !== nalTypes.pps) continue;
      if (!knownSets.some((set) => set.length === to - from && bytes.compare(set, 0, set.length, from, to) === 0))
        return false;
    }
    return true;
  }

  #split(bytes: Buffer, begin: number): void {
    let code = bytes.indexOf(startCode, begin);
    if (code < 0) decline('one of its packets holds no picture');
    for (let at = begin; at < code; at += 1) if (bytes[at] !== 0) decline('one of its packets begins inside a picture');
    this.count = 0;
    while (code >= 0) {
      const from = code + 3;
      code = bytes.indexOf(startCode, from);
      let to = code < 0 ? bytes.length : code;
      // Zeros after a unit are padding, or the first byte of a longer start code.
      while (to > from && bytes[to - 1] === 0) to -= 1;
      if (to === from || this.count === maxUnits) decline('one of its pictures is malformed');
      this.begins[this.count] = from;
      this.ends[this.count] = to;
      this.count += 1;
    }
  }
}

/**
 * Returns the first macroblock of a slice (ITU-T H.264 §7.3.3). The first slice of a picture begins with macroblock 0.
 */
function firstMacroblock(bytes: Buffer, at: number): number {
  if ((bytes[at] ?? 0) >= 0x80) return 0;
  return new BitReader(bytes.subarray(at, at + 5)).readUnsigned();
}

/** Returns the ID of the picture parameter set that the first slice of a picture refers to. */
function readPpsId(bytes: Buffer, at: number): number {
  const bits = new BitReader(bytes.subarray(at, at + 8));
  bits.readUnsigned();
  // The first five types describe only this slice. The other five have the same meaning for all slices (ITU-T H.264
  // table 7-6).
  if (bits.readUnsignedUpTo(9) % 5 > maxSliceType) decline('one of its pictures is of an unusual kind');
  return bits.readUnsigned();
}
