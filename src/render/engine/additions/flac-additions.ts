import { withFile } from '../binary/byte-source.ts';
import { overwrite } from '../binary/overwrite.ts';
import type { Cover } from '../tags/cover.ts';
import { flacBlockHeader, flacBlockHeaderBytes, flacBlockKinds, flacBlocks } from '../tags/flac-blocks.ts';
import { pictureBlock } from '../tags/picture-block.ts';
import { fillPlaceholder } from '../tags/vorbis-comments.ts';
import { type AdditionWriter, headerPadding } from './addition-writer.ts';
import { commentsOf, roomFor } from './comments-of.ts';

/** Writes comments in place of a placeholder, and a cover in place of padding. */
export const flacAdditions: AdditionWriter = {
  metadata: (additions) => roomFor(commentsOf(additions)),
  muxerOptions: ({ cover }) =>
    cover === undefined ? {} : headerPadding(pictureBlock(cover).length + 2 * flacBlockHeaderBytes),
  write(path, additions) {
    const comments = commentsOf(additions);
    if (comments.length > 0) {
      const { offset, body } = readBlock(path, flacBlockKinds.comments);
      fillPlaceholder(body, comments);
      overwrite(path, offset, body);
    }
    if (additions.cover !== undefined) writeCover(path, additions.cover);
    return additions.chapters.length;
  },
};

/** Writes a cover at the beginning of the padding, which is the last block. */
function writeCover(path: string, cover: Cover): void {
  const { offset, body: padding } = readBlock(path, flacBlockKinds.padding);
  const picture = pictureBlock(cover);
  const remainingBytes = padding.length - picture.length - flacBlockHeaderBytes;
  if (remainingBytes < 0) throw new Error('the muxer left no room for a cover');
  const bytes = Buffer.concat([
    flacBlockHeader(flacBlockKinds.picture, picture.length, false),
    picture,
    flacBlockHeader(flacBlockKinds.padding, remainingBytes, true),
  ]);
  overwrite(path, offset - flacBlockHeaderBytes, bytes);
}

function readBlock(path: string, kind: number): { readonly offset: number; readonly body: Buffer } {
  return withFile(path, (source) => {
    const block = flacBlocks(source).find((each) => each.kind === kind);
    if (block === undefined) throw new Error(`the muxer wrote no block of kind ${kind}`);
    return { offset: block.offset, body: source.read(block.offset, block.size) };
  });
}
