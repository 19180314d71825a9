import { type Box, boxesBetween, findBox, fullBoxBytes } from '../media/boxes.ts';

/** Path from the box of a track to its sample tables. */
export const tablePath = ['mdia', 'minf', 'stbl'] as const;

/** Returns the box of a track of an MP4 file, counted from 0, or a box at a path in it. */
export function boxOf(bytes: Buffer, track: number, path: readonly string[]): Box {
  const moov = findBox(bytes, ['moov']);
  let box = boxesBetween(bytes, moov.content, moov.end).filter(({ type }) => type === 'trak')[track];
  for (const type of path) {
    box = box && boxesBetween(bytes, box.content, box.end).find((box) => box.type === type);
  }
  if (box === undefined) throw new Error(`Track ${track} has no box ${path.join('/')}.`);
  return box;
}

/** Returns the offset of the first entry of a full box, after the entry count. */
export function entries({ content }: Box): number {
  return content + fullBoxBytes + 4;
}

/** Changes the handler type and the sample entry type of a track (four-character codes). */
export function rename(bytes: Buffer, track: number, handler: string, codec: string): void {
  bytes.write(handler, boxOf(bytes, track, ['mdia', 'hdlr']).content + fullBoxBytes + 4, 'latin1');
  bytes.write(codec, entries(boxOf(bytes, track, [...tablePath, 'stsd'])) + 4, 'latin1');
}

/** Makes readers skip a box. */
export function hideBox(bytes: Buffer, { start }: Box): void {
  bytes.write('free', start + 4, 'latin1');
}

/** Writes a box of the given parts; texts are written as Latin-1. */
export function makeBox(type: string, ...parts: readonly (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
  const size = Buffer.alloc(4);
  size.writeUInt32BE(8 + content.length);
  return Buffer.concat([size, Buffer.from(type, 'latin1'), content]);
}

/**
 * Returns an MP4 file whose index has more boxes. The index moves to the end of the file, so that no sample moves; the
 * former one stays in its place as free space.
 */
export function addToIndex(bytes: Buffer, added: readonly Buffer[]): Buffer {
  const moov = findBox(bytes, ['moov']);
  const index = makeBox('moov', bytes.subarray(moov.content, moov.end), ...added);
  const before = Buffer.from(bytes);
  hideBox(before, moov);
  return Buffer.concat([before, index]);
}
