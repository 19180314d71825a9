import type { ByteSource } from '../binary/byte-source.ts';
import { adtsHeaderBytes, parseAdtsFrame } from '../formats/adts-frame.ts';
import { sizeOfTag } from './audio-tags.ts';
import type { Hole } from './hole.ts';

/** Maximum number of holes that are listed. */
const maxHoles = 10_000;
/** Number of bytes that are read, and searched for the next frame, at a time. */
const blockBytes = 64 * 1024;

/**
 * Finds the parts of an ADTS file that are no frames and no tags. What precedes the first frame and what follows the
 * last one is not a part of the media.
 *
 * @returns the holes in the order of the file. Their times count from the first frame. How much media is missing is
 * estimated from the number of bytes.
 */
export function findAdtsHoles(file: ByteSource): Hole[] {
  const source = inBlocks(file);
  const skipped: Omit<Hole, 'seconds'>[] = [];
  let [seconds, mediaBytes] = [0, 0];
  for (let offset = nextFrame(source, 0); offset < source.size && skipped.length < maxHoles; ) {
    const frame = parseAdtsFrame(source.read(offset, adtsHeaderBytes));
    if (frame !== undefined) {
      seconds += frame.samples / frame.sampleRate;
      mediaBytes += frame.bytes;
      offset += frame.bytes;
      continue;
    }
    const tag = sizeOfTag(source, offset);
    const next = tag > 0 ? offset + tag : nextFrame(source, offset);
    if (tag === 0 && next < source.size) skipped.push({ offset, bytes: next - offset, at: seconds });
    offset = next;
  }
  return skipped.map((hole) => ({ ...hole, seconds: (hole.bytes * seconds) / mediaBytes }));
}

/** Returns the offset of the next frame that another one follows; without one, the size of the file. */
function nextFrame(source: ByteSource, start: number): number {
  for (let offset = start; offset < source.size; offset += blockBytes) {
    const bytes = source.read(offset, blockBytes + adtsHeaderBytes);
    for (let at = bytes.indexOf(0xff); at >= 0 && at < blockBytes; at = bytes.indexOf(0xff, at + 1)) {
      const frame = parseAdtsFrame(bytes.subarray(at));
      if (frame === undefined) continue;
      const end = offset + at + frame.bytes;
      if (parseAdtsFrame(source.read(end, adtsHeaderBytes)) !== undefined) return offset + at;
    }
  }
  return source.size;
}

/** Returns a source that reads a file in blocks, because most frames are small. */
function inBlocks(source: ByteSource): ByteSource {
  let start = 0;
  let block: Buffer = Buffer.alloc(0);
  return {
    size: source.size,
    read: (offset, length) => {
      if (offset < start || offset + length > start + block.length) {
        start = offset;
        block = source.read(offset, Math.max(length, 2 * blockBytes));
      }
      return block.subarray(offset - start, offset - start + length);
    },
  };
}
