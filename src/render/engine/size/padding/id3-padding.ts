import { withFile } from '../../binary/byte-source.ts';
import { insertZeros } from '../../binary/insert-zeros.ts';
import { overwrite } from '../../binary/overwrite.ts';
import { headerBytes, id3Header, paddingFrameHeader, readFrames, readSynchsafe } from '../../tags/id3-tag.ts';

/** A tag has less than 256 MiB (ID3v2.4.0 §3.1). Covers and texts have less than 16 MiB of them. */
export const maxId3Padding = 240 * 1024 * 1024;

/** Appends a frame of padding to the ID3v2.4 tag of a file, in place of the zeros there. */
export function padId3Tag(path: string, bytes: number): number {
  const tag = withFile(path, (source) => {
    const head = source.read(0, headerBytes);
    if (head.toString('latin1', 0, 3) !== 'ID3') throw new Error('a file has no tag to pad');
    return source.read(headerBytes, readSynchsafe(head.subarray(6)));
  });
  const framesEnd = [...readFrames(tag, 4)].at(-1)?.end ?? 0;
  const unused = tag.length - framesEnd;
  const added = Math.max(bytes, headerBytes - unused);
  insertZeros(path, headerBytes + tag.length, added);
  overwrite(path, headerBytes + framesEnd, paddingFrameHeader(unused + added));
  overwrite(path, 0, id3Header(tag.length + added));
  return added;
}
