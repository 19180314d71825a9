import type { ByteSource } from '../../binary/byte-source.ts';
import type { StoredAdditions } from '../../tags/stored-additions.ts';
import { childBoxes, optionalBox, readBoxBody, walkBoxes } from '../box-reader.ts';
import { maxMovieBytes } from '../movie-reader.ts';
import { readMetadataBox } from './item-list.ts';

/**
 * Reads the tags and the cover of an MP4 or QuickTime file.
 *
 * @throws FastPathDeclined when they are damaged.
 */
export function readMp4Tags(source: ByteSource): StoredAdditions {
  for (const box of walkBoxes(source)) {
    if (box.type !== 'moov') continue;
    return readUserData(optionalBox(childBoxes(readBoxBody(source, box, maxMovieBytes)), 'udta'));
  }
  return { tags: {} };
}

/** Reads the tags and the cover in the body of a `udta` box. */
export function readUserData(userData: Buffer | undefined): StoredAdditions {
  const meta = userData === undefined ? undefined : optionalBox(childBoxes(userData), 'meta');
  return meta === undefined ? { tags: {} } : readMetadataBox(meta);
}
