import type { BitReader } from '../binary/bit-reader.ts';

/** Skips scaling lists (ITU-T H.264 §7.3.2.1.1.1). */
export function skipScalingLists(bits: BitReader, lists: number): void {
  for (let list = 0; list < lists; list += 1) {
    if (!bits.readFlag()) continue;
    let [last, next] = [8, 8];
    for (let at = 0; at < (list < 6 ? 16 : 64) && next !== 0; at += 1) {
      next = (last + bits.readSigned() + 256) % 256;
      if (next !== 0) last = next;
    }
  }
}
