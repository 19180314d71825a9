import { FieldReader } from '../binary/field-reader.ts';
import { type Box, childBoxes, optionalBox, requiredBox } from '../mp4/box-reader.ts';
import { box, fullBox, u32, u64 } from '../mp4/box-writer.ts';
import { addChapterEnds, type Chapter } from './chapter.ts';
import { chapterTrack, truncateUtf8 } from './mp4-chapter-track.ts';
import { handlerOf, movieTimescale, neroScale, trackId } from './mp4-reader.ts';

/** The chapters to add to an index, and the resulting changes of its offsets. */
interface ChapterLayout {
  readonly chapters: readonly Chapter[];
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
 * Returns the body of an index with the chapters added, both as Nero's list and as a text track. Most players read the
 * list; Apple's read the track. The length does not depend on the offsets of the media and the samples.
 */
export function movieWithChapters(movie: Buffer, layout: ChapterLayout): Buffer {
  const boxes = childBoxes(movie);
  const id =
    Math.max(...boxes.filter(({ type }) => type === 'trak').map((track) => trackId(childBoxes(track.body)))) + 1;
  const scale = movieTimescale(requiredBox(boxes, 'mvhd'));
  const chaptersWithEnds = addChapterEnds(layout.chapters, layout.end);
  const track = chapterTrack({
    id,
    movieTimescale: scale,
    chapters: chaptersWithEnds,
    samples: layout.samples,
    position: layout.samplesOffset,
  });
  const user = optionalBox(boxes, 'udta') ?? Buffer.alloc(0);
  const copiedBoxes = boxes.filter(({ type }) => type !== 'udta').map((one) => updateBox(one, id, layout));
  return Buffer.concat([...copiedBoxes, track, box('udta', user, neroList(layout.chapters))]);
}

function updateBox(one: Box, id: number, layout: ChapterLayout): Buffer {
  if (one.type === 'mvhd') return box('mvhd', one.body.subarray(0, -4), u32(id + 1));
  if (one.type !== 'trak') return one.bytes;
  const track = replaceBody(one.body, ['mdia', 'minf', 'stbl'], (table) => shiftTable(table, layout));
  const parts = childBoxes(track);
  if (!['vide', 'soun'].includes(handlerOf(parts))) return box('trak', track);
  const references = optionalBox(parts, 'tref') ?? Buffer.alloc(0);
  const others = parts.filter(({ type }) => type !== 'tref').map(({ bytes: whole }) => whole);
  return box('trak', ...others, box('tref', references, box('chap', u32(id))));
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
function shiftTable(table: Buffer, { mediaShift, large }: ChapterLayout): Buffer {
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
