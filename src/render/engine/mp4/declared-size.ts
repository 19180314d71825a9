import type { ByteSource } from '../binary/byte-source.ts';
import type { DeclaredExtent } from '../binary/declared-extent.ts';
import type { TopBox } from './box-reader.ts';
import { containsFragment, lastSampleEnd } from './last-sample.ts';

/**
 * Maximum number of boxes examined, a guard against files of many tiny boxes. A ten-hour file of one-second fragments
 * has 72,000.
 */
const maxBoxes = 1_000_000;

/** Boxes that an MP4 or QuickTime file begins with. */
const firstBoxes = new Set(['ftyp', 'styp', 'moov', 'moof', 'mdat', 'free', 'skip', 'wide', 'sidx']);

/** Boxes that playback requires. An oversized box of another type is junk after the media. */
const neededBoxes = new Set(['moov', 'moof', 'mdat']);

const mediaMissing = 'its media is missing: a part before it is cut short or damaged';

/**
 * Walks the top-level boxes of an MP4 file (ISO/IEC 14496-12 §4.2). Each box declares its size, so a file that ends
 * inside a box is cut short, unless the index shows that the file contains all its media. Returns undefined for other
 * files.
 */
export function mp4DeclaredExtent(source: ByteSource): DeclaredExtent | undefined {
  let last = '';
  let media = false;
  let index: TopBox | undefined;
  /** The fragment whose media comes next. */
  let fragment: TopBox | undefined;
  let offset = 0;
  for (let count = 0; count < maxBoxes && offset + 8 <= source.size; count += 1) {
    const box = readBox(source, offset);
    if (count === 0 && !firstBoxes.has(box.type)) return undefined;
    // A size of 0 means "to the end of the file". A size smaller than the header is junk.
    if (box.size === 0) return {};
    if (box.size < 8 && count === 0) return undefined;
    const end = offset + box.size;
    if (end > source.size && neededBoxes.has(box.type)) {
      if (box.type === 'mdat' && index !== undefined && containsSamples(source, index, fragment)) return {};
      return { truncationReason: `its last part (${box.type}) needs ${end} bytes, and the file has ${source.size}` };
    }
    if (box.size < 8 || end > source.size) return media ? {} : { truncationReason: mediaMissing };
    media ||= box.type === 'mdat';
    const topBox = { type: box.type, offset, end, headerBytes: box.headerBytes };
    if (box.type === 'moof') fragment = topBox;
    if (box.type === 'moov') index = topBox;
    last = box.type;
    offset = end;
  }
  if (last === '') return undefined;
  return last === 'moof' ? { truncationReason: 'its last fragment has an index and no media' } : {};
}

/**
 * Returns whether the file contains every sample of its last media box, although it is shorter than that box declares.
 * Some writers count the `mdat` header twice.
 */
function containsSamples(source: ByteSource, index: TopBox, fragment: TopBox | undefined): boolean {
  if (fragment !== undefined) return containsFragment(source, index, fragment);
  const end = lastSampleEnd(source, index);
  return end !== undefined && end > 0 && end <= source.size;
}

function readBox(source: ByteSource, offset: number) {
  const header = source.read(offset, 16);
  const type = header.toString('latin1', 4, 8);
  const size = header.readUInt32BE(0);
  if (size !== 1) return { type, size, headerBytes: 8 };
  // A 64-bit size; every size that a file system supports fits into a double exactly.
  return { type, size: header.length < 16 ? source.size : Number(header.readBigUInt64BE(8)), headerBytes: 16 };
}
