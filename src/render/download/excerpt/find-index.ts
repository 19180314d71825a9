import type { Clip } from '../../../contract/clip.ts';
import { readMatroskaIndex } from './matroska-index.ts';
import { declineExcerpt, type IndexReading } from './media-index.ts';
import { readMp4Index } from './mp4-index.ts';
import { readUpTo } from './read-range.ts';

/** The first four bytes of Matroska and WebM files. */
const matroskaSignature = 0x1a45dfa3;
/** Boxes that MP4 and QuickTime files begin with. */
const firstBoxes: ReadonlySet<string> = new Set(['ftyp', 'styp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot']);

/**
 * Reads the index of a file of any format.
 *
 * @param size - size of the file in bytes.
 * @param clip - the part of the file that will be planned.
 * @throws ExcerptDeclined or FastPathDeclined if it has no index, or an unusual one.
 */
export function* readIndex(size: number, clip: Clip): IndexReading {
  const bytes = yield* readUpTo(0, 16, size);
  if (bytes.length < 16) declineExcerpt('it has no index');
  if (bytes.readUInt32BE(0) === matroskaSignature) return yield* readMatroskaIndex(size);
  if (firstBoxes.has(bytes.toString('latin1', 4, 8))) return yield* readMp4Index(size, clip);
  return declineExcerpt('its format has no index');
}
