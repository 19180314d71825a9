import { FieldReader } from '../../binary/field-reader.ts';
import { addChapterEnds, type Chapter } from '../../chapters/chapter.ts';
import type { Additions } from '../../tasks/additions.ts';
import { type Box, childBoxes, optionalBox, requiredBox } from '../box-reader.ts';
import { box, fullBox, u32, u64 } from '../box-writer.ts';
import { handlerOf, movieTimescale, neroScale, trackId } from './chapter-reader.ts';
import { chapterTrack, truncateUtf8 } from './chapter-track.ts';
import { metadataBox } from './item-list.ts';

/** The additions to an index, and the resulting changes of its offsets. */
interface AdditionLayout {
  readonly additions: Additions;
  /** Duration of the result, in seconds. */
  readonly end: number;
  /** The chapter titles as track samples. */
  readonly samples: readonly Buffer[];
  /** Number of bytes by which the media moves towards the end of the file. */
  readonly mediaShift: number;
  /** Offset in the file at which the contiguous samples begin. */
  readonly samplesOffset: number;
  /** Whether chunk offsets take 64 bits. */
  readonly large: boolean;
}

/** Maximum number of chapters in Nero's list. */
const maxNero = 255;

/**
 * Returns the body of an index with additions. Chapters are stored both as Nero's list, which most players read, and as
 * a text track for Apple's. The length does not depend on the offsets of the media and the samples.
 */
export function movieWithAdditions(movie: Buffer, layout: AdditionLayout): Buffer {
  const boxes = childBoxes(movie);
  const { chapters } = layout.additions;
  const trackIds = boxes.filter(({ type }) => type === 'trak').map((track) => trackId(childBoxes(track.body)));
  const chapterTrackId = chapters.length === 0 ? undefined : Math.max(...trackIds) + 1;
  const copiedBoxes = boxes.filter(({ type }) => type !== 'udta').map((one) => updateBox(one, chapterTrackId, layout));
  const track =
    chapterTrackId === undefined
      ? []
      : [
          chapterTrack({
            id: chapterTrackId,
            movieTimescale: movieTimescale(requiredBox(boxes, 'mvhd')),
            chapters: addChapterEnds(chapters, layout.end),
            samples: layout.samples,
            position: layout.samplesOffset,
          }),
        ];
  return Buffer.concat([...copiedBoxes, ...track, userDataBox(optionalBox(boxes, 'udta'), layout.additions)]);
}

/** Returns a `udta` box with additions, given the body of the box that it replaces. */
function userDataBox(previous: Buffer | undefined, { tags, cover, chapters }: Additions): Buffer {
  const boxes = previous === undefined ? [] : childBoxes(previous);
  const addsMetadata = Object.keys(tags).length > 0 || cover !== undefined;
  const keptBoxes = boxes.filter(({ type }) => !addsMetadata || type !== 'meta').map(({ bytes }) => bytes);
  return box(
    'udta',
    ...keptBoxes,
    ...(addsMetadata ? [metadataBox(tags, cover, optionalBox(boxes, 'meta'))] : []),
    ...(chapters.length === 0 ? [] : [neroList(chapters)]),
  );
}

/** @param chapterTrackId - ID of the added chapter track. */
function updateBox(one: Box, chapterTrackId: number | undefined, layout: AdditionLayout): Buffer {
  if (one.type === 'mvhd' && chapterTrackId !== undefined)
    return box('mvhd', one.body.subarray(0, -4), u32(chapterTrackId + 1));
  if (one.type !== 'trak') return one.bytes;
  const keepsOffsets = layout.mediaShift === 0 && !layout.large;
  const track = keepsOffsets
    ? one.body
    : replaceBody(one.body, ['mdia', 'minf', 'stbl'], (table) => shiftTable(table, layout));
  const parts = childBoxes(track);
  if (chapterTrackId === undefined || !['vide', 'soun'].includes(handlerOf(parts))) return box('trak', track);
  const references = optionalBox(parts, 'tref') ?? Buffer.alloc(0);
  const others = parts.filter(({ type }) => type !== 'tref').map(({ bytes: whole }) => whole);
  return box('trak', ...others, box('tref', references, box('chap', u32(chapterTrackId))));
}

/** Returns a box's body after changing the body of a nested box. */
function replaceBody(body: Buffer, [next, ...path]: readonly string[], change: (body: Buffer) => Buffer): Buffer {
  if (next === undefined) return change(body);
  const parts = childBoxes(body).map((one) => {
    return one.type === next ? box(next, replaceBody(one.body, path, change)) : one.bytes;
  });
  return Buffer.concat(parts);
}

/** Returns a sample table with shifted chunk offsets. */
function shiftTable(table: Buffer, { mediaShift, large }: AdditionLayout): Buffer {
  const parts = childBoxes(table).map((one) => {
    if (one.type !== 'stco' && one.type !== 'co64') return one.bytes;
    const fields = new FieldReader(one.body);
    fields.versionAndFlags();
    const positions = Array.from({ length: fields.u32() }, () => {
      return mediaShift + (one.type === 'stco' ? fields.u32() : fields.u64());
    });
    const wide = large || one.type === 'co64';
    return fullBox(wide ? 'co64' : 'stco', 0, 0, u32(positions.length), wide ? u64(...positions) : u32(...positions));
  });
  return Buffer.concat(parts);
}

function neroList(chapters: readonly Chapter[]): Buffer {
  const listedChapters = chapters.slice(0, maxNero);
  const entries = listedChapters.map(({ start, title }) => {
    const name = truncateUtf8(title, 255);
    return Buffer.concat([u64(Math.round(start * neroScale)), Buffer.of(name.length), name]);
  });
  return fullBox('chpl', 1, 0, u32(0), Buffer.of(listedChapters.length), ...entries);
}
