import { undefinedIfDeclined } from '../../engine/binary/fast-path-declined.ts';
import { parsePriming, primingTag } from '../../engine/formats/itunes-priming.ts';
import { type Box, optionalBox } from '../../engine/mp4/box-reader.ts';
import { childBoxes } from './child-boxes.ts';

/** Bytes before the text of a tag: its type and its language; and those of the version and flags of a box. */
const valueHeaderBytes = 8;
const versionBytes = 4;

/**
 * Returns the samples of priming that a tag of iTunes states (`moov/udta/meta/ilst/----`); 0 without one. The ticks of
 * the track of such files are samples.
 *
 * @param movie - the boxes of the `moov` box.
 */
export function readTaggedPriming(movie: readonly Box[]): number {
  return undefinedIfDeclined(() => findPriming(movie)) ?? 0;
}

function findPriming(movie: readonly Box[]): number {
  const meta = optionalBox(childrenOf(movie, 'udta'), 'meta') ?? Buffer.alloc(0);
  const tags = childrenOf(childBoxes(meta.subarray(versionBytes)), 'ilst');
  for (const { type, body } of tags) {
    const parts = type === '----' ? childBoxes(body) : [];
    if (optionalBox(parts, 'name')?.toString('latin1', versionBytes) !== primingTag) continue;
    return parsePriming(optionalBox(parts, 'data')?.toString('latin1', valueHeaderBytes) ?? '');
  }
  return 0;
}

function childrenOf(boxes: readonly Box[], type: string): readonly Box[] {
  return childBoxes(optionalBox(boxes, type) ?? Buffer.alloc(0));
}
