import { decline } from '../binary/fast-path-declined.ts';
import { BitReader } from './bit-reader.ts';
import { withoutEscapes } from './sequence-parameters.ts';

/** NAL unit types (ITU-T H.264 table 7-1). */
const types = {
  slice: 1,
  keySlice: 5,
  information: 6,
  sequence: 7,
  picture: 8,
  delimiter: 9,
  ends: [10, 11],
  filler: 12,
};
/** P, B and I; the others are for switching between streams. */
const maxSliceType = 2;
/** Supplemental information that marks a picture after which others can be decoded (ITU-T H.264 §D.1.8). */
const recoveryPoint = 6;

/** Bytes of supplemental information that are looked at. */
const maxInformation = 64 * 1024;

const startCode = Buffer.from([0, 0, 1]);

/** NAL units that a picture may have. The highest level allows 600 slices. */
const maxUnits = 1024;

/** The NAL units of one picture. It is used again for each picture. */
export class AccessUnit {
  /** Where each unit begins and ends in the bytes that were read. */
  readonly begins: number[] = [];
  readonly ends: number[] = [];
  /** Number of units. */
  count = 0;
  /** Whether decoding can begin here. */
  key = false;
  /** Number of the picture parameter set that its first slice refers to. */
  pictureSet = 0;
  /** Bytes of the picture in a file, where each unit follows its length. */
  size = 0;

  /**
   * Finds the units of a picture between start codes (ITU-T H.264 annex B).
   *
   * @param bytes - end where the picture ends.
   * @param begin - where the picture begins.
   * @throws FastPathDeclined unless they are exactly one whole picture, and the place of all else in it is clear.
   */
  read(bytes: Buffer, begin: number): void {
    this.#split(bytes, begin);
    this.size = 0;
    let [slices, lastBlock, keySlices, recovers] = [0, -1, 0, false];
    for (let at = 0; at < this.count; at += 1) {
      const [from = 0, to = 0] = [this.begins[at], this.ends[at]];
      this.size += 4 + to - from;
      const head = bytes[from] ?? 0;
      if (head > 0x7f) decline('one of its NAL units is malformed');
      const type = head & 0x1f;
      if (type === types.slice || type === types.keySlice) {
        const block = firstBlock(bytes, from + 1);
        if (slices === 0 ? block !== 0 : block <= lastBlock)
          decline('one of its packets holds no single whole picture');
        if (slices === 0) this.pictureSet = pictureSetOf(bytes, from + 1);
        lastBlock = block;
        slices += 1;
        if (type === types.keySlice) keySlices += 1;
      } else if (type >= types.information && type <= types.delimiter) {
        // These begin a picture.
        if (slices > 0 || (type === types.delimiter && at > 0)) decline('one of its packets holds several pictures');
        if (type === types.information) recovers ||= isRecovery(bytes.subarray(from + 1, to));
      } else if (slices === 0 || !(types.ends.includes(type) || type === types.filler)) {
        decline(`one of its pictures has a NAL unit of type ${type}`);
      }
    }
    if (slices === 0) decline('one of its packets holds no picture');
    if (keySlices !== 0 && keySlices !== slices) decline('one of its pictures is a key frame in part');
    this.key = keySlices > 0;
    if (recovers && !this.key) decline('decoding can begin at pictures that are no key frames');
  }

  /** The parameter sets of a type, copied. */
  sets(bytes: Buffer, type: 'sequence' | 'picture'): Buffer[] {
    const sets: Buffer[] = [];
    for (let at = 0; at < this.count; at += 1) {
      const unit = bytes.subarray(this.begins[at], this.ends[at]);
      if (((unit[0] ?? 0) & 0x1f) === types[type]) sets.push(Buffer.from(unit));
    }
    return sets;
  }

  /** Whether all parameter sets are among the known ones. */
  repeats(bytes: Buffer, sets: readonly Buffer[]): boolean {
    for (let at = 0; at < this.count; at += 1) {
      const [from, to] = [this.begins[at] ?? 0, this.ends[at] ?? 0];
      const type = (bytes[from] ?? 0) & 0x1f;
      if (type !== types.sequence && type !== types.picture) continue;
      if (!sets.some((set) => set.length === to - from && bytes.compare(set, 0, set.length, from, to) === 0))
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
      // Zeros behind a unit are padding, or the first byte of a longer start code.
      while (to > from && bytes[to - 1] === 0) to -= 1;
      if (to === from || this.count === maxUnits) decline('one of its pictures is malformed');
      this.begins[this.count] = from;
      this.ends[this.count] = to;
      this.count += 1;
    }
  }
}

/** The first macroblock of a slice (ITU-T H.264 §7.3.3). The first slice of a picture begins with block 0. */
function firstBlock(bytes: Buffer, at: number): number {
  if ((bytes[at] ?? 0) >= 0x80) return 0;
  return new BitReader(bytes.subarray(at, at + 5)).unsigned();
}

/** The picture parameter set that the first slice of a picture refers to. */
function pictureSetOf(bytes: Buffer, at: number): number {
  const bits = new BitReader(bytes.subarray(at, at + 8));
  bits.unsigned();
  // The first five types say of this slice what the others say of all slices (ITU-T H.264 table 7-6).
  if (bits.limited(9) % 5 > maxSliceType) decline('one of its pictures is of an unusual kind');
  return bits.unsigned();
}

/** Whether supplemental information marks a recovery point (ITU-T H.264 §7.3.2.3.1). */
function isRecovery(escaped: Buffer): boolean {
  if (escaped.length > maxInformation) decline('one of its pictures has much supplemental information');
  const bytes = withoutEscapes(escaped);
  let at = 0;
  const number = () => {
    let value = 0;
    while (bytes[at] === 0xff) {
      value += 0xff;
      at += 1;
    }
    value += bytes[at] ?? 0;
    at += 1;
    return value;
  };
  // The last byte ends the unit.
  while (at < bytes.length - 1) {
    if (number() === recoveryPoint) return true;
    const length = number();
    at += length;
  }
  return false;
}
