import type { StoredAdditions } from '../../tags/stored-additions.ts';
import { type Box, childBoxes, optionalBox } from '../box-reader.ts';
import { box } from '../box-writer.ts';
import { handlerOf, referencedTracks, trackId } from './chapter-reader.ts';
import { readUserData } from './tag-reader.ts';

/** The index of a result without the additions of its job, and the tags and the cover among them. */
interface SeparatedIndex extends StoredAdditions {
  /** Body of the `moov` box. */
  readonly movie: Buffer;
}

/**
 * Takes the additions of a result out of its index, so that the rest can be read like the index of a plain file. It is
 * the reverse of `movieWithAdditions`.
 *
 * @param movie - body of the `moov` box.
 * @throws FastPathDeclined when the additions are damaged.
 */
export function separateAdditions(movie: Buffer): SeparatedIndex {
  const boxes = childBoxes(movie);
  const tracks = boxes.map((one) => ({ one, parts: one.type === 'trak' ? childBoxes(one.body) : [] }));
  const chapterTrackIds = new Set(tracks.flatMap(({ parts }) => referencedTracks(parts)));
  const isChapterTrack = (parts: readonly Box[]) => {
    return parts.length > 0 && chapterTrackIds.has(trackId(parts)) && handlerOf(parts) === 'text';
  };
  const mediaBoxes = tracks
    .filter(({ one, parts }) => one.type !== 'udta' && !isChapterTrack(parts))
    .map(({ one, parts }) => (parts.length === 0 ? one.bytes : withoutReferences(parts)));
  return { movie: Buffer.concat(mediaBoxes), ...readUserData(optionalBox(boxes, 'udta')) };
}

function withoutReferences(parts: readonly Box[]): Buffer {
  return box('trak', ...parts.filter(({ type }) => type !== 'tref').map(({ bytes }) => bytes));
}
