import { type Box, childBoxes as readChildBoxes } from '../../engine/mp4/box-reader.ts';

/** Maximum number of boxes inside one box of an index: files of up to 32 tracks have fewer. */
const maxChildren = 256;

/**
 * Returns the child boxes that fill a box of an index.
 *
 * @throws FastPathDeclined
 */
export function childBoxes(body: Buffer): Box[] {
  return readChildBoxes(body, maxChildren);
}
