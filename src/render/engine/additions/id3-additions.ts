import { withFile } from '../binary/byte-source.ts';
import { overwrite } from '../binary/overwrite.ts';
import { placeChapters } from '../chapters/chapter.ts';
import { chapterFrames } from '../chapters/id3-writer.ts';
import { headerBytes, readFrames, readSynchsafe } from '../tags/id3-tag.ts';
import { tagFrames } from '../tags/id3-tags.ts';
import { type AdditionWriter, headerPadding } from './addition-writer.ts';

/** Unused bytes left at the end of a tag. The muxer leaves the same number for players that need padding. */
const spareBytes = 10;

/** Writes additions into the padding of the ID3v2.4 tag, which the muxer reserves. */
export const id3Additions: AdditionWriter = {
  muxerOptions: ({ tags, cover, chapters }) =>
    headerPadding(tagFrames(tags, cover).length + chapterFrames(chapters, 0).length + spareBytes),
  write(path, { tags, cover, chapters }, end) {
    const placedChapters = placeChapters(chapters, 0, end);
    const bytes = Buffer.concat([tagFrames(tags, cover), chapterFrames(placedChapters, end)]);
    const offset = withFile(path, (source) => {
      const tag = source.read(headerBytes, readSynchsafe(source.read(6, 4)));
      const usedBytes = [...readFrames(tag, 4)].at(-1)?.end ?? 0;
      if (tag.length - usedBytes < bytes.length) throw new Error('the muxer left no room in the tag');
      return headerBytes + usedBytes;
    });
    overwrite(path, offset, bytes);
    return placedChapters.length;
  },
};
