import { BitReader } from '../binary/bit-reader.ts';
import { withoutEscapes } from '../formats/nal-units.ts';
import { skipScalingLists } from './h264-scaling-lists.ts';
import type { Sps } from './h264-sps.ts';

/** Maximum ID of a picture parameter set (ITU-T H.264 §7.4.2.2). */
const maxId = 255;
/** Maximum number of reference pictures. */
const maxReferences = 32;

/**
 * Checks a picture parameter set (ITU-T H.264 §7.3.2.2).
 *
 * @param unit - the NAL unit with its header.
 * @returns Its ID, which slices refer to.
 * @throws FastPathDeclined for a malformed or unusual set.
 */
export function parsePps(unit: Buffer, { id, chromaFormat }: Sps): number {
  const bits = new BitReader(withoutEscapes(unit.subarray(1)));
  const ppsId = bits.readUnsignedUpTo(maxId);
  bits.expectUnsigned(id);
  bits.readBits(2);
  // Hardly any player supports the profiles with several slice groups.
  bits.expectUnsigned(0);
  bits.readUnsignedUpTo(maxReferences - 1);
  bits.readUnsignedUpTo(maxReferences - 1);
  bits.readBits(3);
  for (let number = 0; number < 3; number += 1) bits.readSigned();
  bits.readBits(3);
  if (bits.hasMore) {
    const lists = bits.readFlag() ? (chromaFormat === 3 ? 6 : 2) : 0;
    if (bits.readFlag()) skipScalingLists(bits, 6 + lists);
    bits.readSigned();
  }
  bits.expectEnd();
  return ppsId;
}
