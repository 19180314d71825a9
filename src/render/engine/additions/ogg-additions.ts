import { withFile } from '../binary/byte-source.ts';
import { overwrite } from '../binary/overwrite.ts';
import { commentHeaderOf, type OggPacket, readSecondPackets } from '../tags/ogg-comments.ts';
import { sealPage } from '../tags/ogg-pages.ts';
import { type Comment, coverComment, fillPlaceholder } from '../tags/vorbis-comments.ts';
import type { Additions } from '../tasks/additions.ts';
import type { AdditionWriter } from './addition-writer.ts';
import { commentsOf, roomFor } from './comments-of.ts';

/** Writes comments in place of a placeholder. A cover is a comment as well. */
export const oggAdditions: AdditionWriter = {
  metadata: (additions) => roomFor(allComments(additions)),
  write(path, additions) {
    const comments = allComments(additions);
    const packets = withFile(path, (source) => [...readSecondPackets(source)]);
    if (comments.length > 0) for (const packet of packets) writeComments(path, packet, comments);
    return additions.chapters.length;
  },
};

function allComments({ cover, ...others }: Additions): Comment[] {
  return [...commentsOf(others), ...(cover === undefined ? [] : [coverComment(cover)])];
}

/** Fills the placeholder in a packet, and corrects the checksums of its pages. */
function writeComments(path: string, { parts }: OggPacket, comments: readonly Comment[]): void {
  const packet = Buffer.concat(parts.map(({ bytes }) => bytes));
  const header = commentHeaderOf(packet);
  if (header === undefined) throw new Error('the muxer wrote no comments');
  fillPlaceholder(header, comments);
  let at = 0;
  for (const [page, ownParts] of Map.groupBy(parts, (part) => part.page)) {
    const bytes = withFile(path, (source) => source.read(page.offset, page.end - page.offset));
    for (const { offset, bytes: part } of ownParts) {
      packet.copy(bytes, offset - page.offset, at, at + part.length);
      at += part.length;
    }
    sealPage(bytes);
    overwrite(path, page.offset, bytes);
  }
}
