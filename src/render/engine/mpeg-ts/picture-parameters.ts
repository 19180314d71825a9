import { BitReader } from './bit-reader.ts';
import { skipScaling } from './scaling-lists.ts';
import { type SequenceParameters, withoutEscapes } from './sequence-parameters.ts';

/** Numbers of picture parameter sets (ITU-T H.264 §7.4.2.2). */
const maxId = 255;
/** References of a picture, at most. */
const maxReferences = 32;

/**
 * Checks a picture parameter set (ITU-T H.264 §7.3.2.2).
 *
 * @param unit - the NAL unit with its header.
 * @returns Its number, by which slices refer to it.
 * @throws FastPathDeclined for a set that is malformed or unusual.
 */
export function readPictureParameters(unit: Buffer, { id, chromaFormat }: SequenceParameters): number {
  const bits = new BitReader(withoutEscapes(unit.subarray(1)));
  const own = bits.limited(maxId);
  bits.exact(id);
  bits.read(2);
  // Several groups of slices are for profiles that hardly anything plays.
  bits.exact(0);
  bits.limited(maxReferences - 1);
  bits.limited(maxReferences - 1);
  bits.read(3);
  for (let number = 0; number < 3; number += 1) bits.signed();
  bits.read(3);
  if (bits.more) {
    const lists = bits.flag() ? (chromaFormat === 3 ? 6 : 2) : 0;
    if (bits.flag()) skipScaling(bits, 6 + lists);
    bits.signed();
  }
  bits.end();
  return own;
}
