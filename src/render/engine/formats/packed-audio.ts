import type { ByteSource } from '../binary/byte-source.ts';
import { skipId3Tag } from '../binary/id3-tag.ts';
import { mpegClockTicks } from '../timing/clock-turns.ts';

/**
 * A tag with which a segment of packed audio begins. Packed audio is AAC, MP3, AC-3 or E-AC-3 in an HLS playlist without
 * any other container, so that it has no timestamps (RFC 8216 §3.4).
 */
export interface TimestampTag {
  /** Offsets at which the tag begins and ends, in bytes. */
  readonly start: number;
  readonly end: number;
  /** Timestamp of the first sample after the tag, in ticks of the 33-bit clock of MPEG-TS, which counts at 90 kHz. */
  readonly ticks: number;
}

/** Maximum distance from the beginning of a tag to the frame with its timestamp, in bytes; usually it is the first. */
const maxTagBytes = 4 * 1024;
/** Number of bytes that are searched at a time, and maximum number of tags: a playlist has fewer segments. */
const searchBytes = 1024 * 1024;
const maxTags = 200_000;

/** The owner of the private frame that holds the timestamp. */
const owner = Buffer.from('com.apple.streaming.transportStreamTimestamp\0', 'latin1');
/** Size of a timestamp, of which the upper 31 bits are zero, and of the header of a tag and of a frame, in bytes. */
const timestampBytes = 8;
const headerBytes = 10;
/** The header of the private frame without its flags. Its size is the same in versions 2.3 and 2.4 of ID3. */
const frameHeader = Buffer.from([...Buffer.from('PRIV'), 0, 0, 0, owner.length + timestampBytes]);

/** Finds the first tag with a timestamp. The tags that directly follow it count as parts of it. */
export function findTimestampTag(bytes: Buffer): TimestampTag | undefined {
  for (let at = bytes.indexOf(owner); at >= 0; at = bytes.indexOf(owner, at + 1)) {
    const [frame, value] = [at - headerBytes, at + owner.length];
    const isFrame = frame >= headerBytes && bytes.subarray(frame).subarray(0, frameHeader.length).equals(frameHeader);
    if (!isFrame || value + timestampBytes > bytes.length) continue;
    const start = tagAround(bytes, frame, value + timestampBytes);
    if (start === undefined) continue;
    const ticks = Number(bytes.readBigUInt64BE(value) % BigInt(mpegClockTicks));
    return { start, end: start + lengthOfTags(bytes.subarray(start)), ticks };
  }
  return undefined;
}

/** Returns the offset of the tag that contains a frame, given the frame's bounds. */
function tagAround(bytes: Buffer, frame: number, end: number): number | undefined {
  const from = Math.max(0, frame - maxTagBytes);
  const found = bytes.subarray(from, frame).lastIndexOf('ID3');
  const start = from + found;
  if (found < 0) return undefined;
  return start + skipId3Tag(sourceOf(bytes.subarray(start))) >= end ? start : undefined;
}

/** Returns the tag of the first segment of a file, before its first frame. */
export function firstTimestampTag(source: ByteSource): TimestampTag | undefined {
  return findTimestampTag(source.read(0, 2 * maxTagBytes));
}

/** Returns the tags of all segments of a file. */
export function listTimestampTags(source: ByteSource): TimestampTag[] {
  const tags: TimestampTag[] = [];
  for (let offset = 0; offset < source.size && tags.length < maxTags; ) {
    const bytes = source.read(offset, searchBytes);
    let read = 0;
    for (let tag = findTimestampTag(bytes); tag !== undefined; tag = findTimestampTag(bytes.subarray(read))) {
      tags.push({ ...tag, start: offset + read + tag.start, end: offset + read + tag.end });
      read += tag.end;
    }
    if (bytes.length < searchBytes) break;
    // A tag may begin at the end of these bytes.
    offset += Math.max(read, bytes.length - 2 * maxTagBytes);
  }
  return tags;
}

/** Returns the length of the tags with which the bytes begin. */
function lengthOfTags(bytes: Buffer): number {
  let length = 0;
  for (let tag = -1; tag !== 0 && length < bytes.length; length += tag)
    tag = skipId3Tag(sourceOf(bytes.subarray(length)));
  return Math.min(length, bytes.length);
}

function sourceOf(bytes: Buffer) {
  return { size: bytes.length, read: (offset: number, length: number) => bytes.subarray(offset, offset + length) };
}
