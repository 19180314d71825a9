import { appendFileSync, statSync } from 'node:fs';
import { latin1 } from '../binary/big-endian.ts';
import { withFile } from '../binary/byte-source.ts';
import { overwrite } from '../binary/overwrite.ts';
import { id3Tag } from '../tags/id3-tag.ts';
import { tagFrames } from '../tags/id3-tags.ts';
import { largeSize, riffChunks, riffHeaderBytes } from '../tags/riff-chunks.ts';
import type { AdditionWriter } from './addition-writer.ts';

/**
 * Lets the muxer write the tags that have an item in WAV's own list, which many programs read, and appends all of them
 * as an ID3 tag.
 */
export const wavAdditions: AdditionWriter = {
  metadata: ({ tags: { url: _, ...tags } }) => tags,
  write(path, { tags }) {
    const tag = id3Tag(tagFrames(tags, undefined));
    const header = Buffer.alloc(riffHeaderBytes);
    header.write('id3 ', 'latin1');
    header.writeUInt32LE(tag.length, 4);
    const { size } = statSync(path);
    appendFileSync(path, Buffer.concat([Buffer.alloc(size % 2), header, tag, Buffer.alloc(tag.length % 2)]));
    writeFileSize(path);
    return 0;
  },
};

/** Corrects the size of the whole file in its header, which is in the `ds64` chunk of files over 4 GiB. */
function writeFileSize(path: string): void {
  const contentBytes = statSync(path).size - riffHeaderBytes;
  const { isLarge, sizes } = withFile(path, (source) => ({
    isLarge: source.read(0, 4).equals(latin1('RF64')),
    sizes: riffChunks(source).find(({ id }) => id === 'ds64'),
  }));
  if (isLarge && sizes !== undefined) {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(contentBytes));
    overwrite(path, sizes.offset, bytes);
  } else {
    const bytes = Buffer.alloc(4);
    // Readers take this size to mean "until the end of the file".
    bytes.writeUInt32LE(Math.min(largeSize, contentBytes));
    overwrite(path, 4, bytes);
  }
}
