import { withFile } from '../binary/byte-source.ts';
import { ebmlIds, segmentElements } from '../binary/ebml.ts';
import { overwrite } from '../binary/overwrite.ts';
import { placeChapters } from '../chapters/chapter.ts';
import { chaptersElement, sizeField } from '../chapters/matroska-writer.ts';
import { type AdditionWriter, headerPadding } from './addition-writer.ts';
import { writeMatroskaLanguages } from './matroska-languages.ts';

/** Size of the header of a void element with an eight-byte size field, in bytes. */
const voidHead = 9;

/**
 * Lets the muxer write the tags, replaces its placeholders of languages, and writes the chapters in place of the void
 * element that the muxer leaves before the media.
 */
export const matroskaAdditions: AdditionWriter = {
  // As yt-dlp names it.
  metadata: ({ tags: { url, ...tags } }) => ({ ...tags, ...(url === undefined ? {} : { purl: url }) }),
  muxerOptions: ({ chapters }) =>
    chapters.length === 0 ? {} : headerPadding(chaptersElement(chapters, 0).length + voidHead),
  write(path, { chapters, languageTags }, end) {
    const { audio = [], subtitle = [] } = languageTags ?? {};
    writeMatroskaLanguages(path, new Set([...audio, ...subtitle].filter((tag) => tag !== undefined)));
    const placedChapters = placeChapters(chapters, 0, end);
    if (placedChapters.length === 0) return 0;
    const bytes = chaptersElement(placedChapters, end);
    const room = withFile(path, (source) => {
      for (const { id, offset, dataOffset, size = 0 } of segmentElements(source)) {
        const whole = dataOffset + size - offset;
        if (id === ebmlIds.void && whole >= bytes.length + voidHead) return { offset, whole };
      }
      throw new Error('the muxer left no room for chapters');
    });
    overwrite(path, room.offset, Buffer.concat([bytes, voidElement(room.whole - bytes.length)]));
    return placedChapters.length;
  },
};

/** Returns a void element of the given total size. */
function voidElement(bytes: number): Buffer {
  const head = Buffer.concat([Buffer.of(ebmlIds.void), sizeField(bytes - voidHead)]);
  return Buffer.concat([head, Buffer.alloc(bytes - head.length)]);
}
