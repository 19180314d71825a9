import type { ByteSource } from '../binary/byte-source.ts';
import type { DeclaredExtent } from '../binary/declared-extent.ts';
import type { TopBox } from './box-reader.ts';
import { containsFragment, lastSampleEnd } from './last-sample.ts';

/** Boxes looked at, at most: a file of tiny boxes is made to hurt. Ten hours of one-second fragments have 72,000. */
const maxBoxes = 1_000_000;

/** Boxes that an MP4 or QuickTime file begins with. */
const firstBoxes = new Set(['ftyp', 'styp', 'moov', 'moof', 'mdat', 'free', 'skip', 'wide', 'sidx']);

/** Boxes that playing needs. One of another kind that runs over the end is junk behind the media. */
const neededBoxes = new Set(['moov', 'moof', 'mdat']);

const mediaMissing = 'its media is missing: a part before it is cut short or damaged';

/**
 * Walks the top-level boxes of an MP4 file (ISO/IEC 14496-12 §4.2): every one says how long it is, so a file that ends
 * inside one is cut short, unless the index shows that all its media is there. Returns nothing for other files.
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
    // A size of 0 means "to the end of the file"; one below the header's own is junk.
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

/** Whether every sample of the last media is in the file: some writers count the `mdat` header twice. */
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
  // A 64-bit size, of which a file system can hold no more than a double tells exactly.
  return { type, size: header.length < 16 ? source.size : Number(header.readBigUInt64BE(8)), headerBytes: 16 };
}
