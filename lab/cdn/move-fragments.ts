import { type Box, boxesBetween, findBox, fullBoxBytes } from '../media/boxes.ts';

/** Moves each fragment of an MP4 file by a number of seconds, given when its first track is decoded. */
export function moveFragments(bytes: Buffer, move: (seconds: number) => number): void {
  const tracks = boxesIn(bytes, findBox(bytes, ['moov']), 'trak');
  // Ticks per second of each track, by its ID. FFmpeg writes version 0 of both headers.
  const scales = new Map(
    tracks.map((track) => [fieldOf(track, ['trak', 'tkhd'], 8), fieldOf(track, ['trak', 'mdia', 'mdhd'], 8)]),
  );
  for (const fragment of boxesBetween(bytes, 0, bytes.length).filter(({ type }) => type === 'moof')) {
    let seconds: number | undefined;
    for (const track of boxesIn(bytes, fragment, 'traf')) {
      const scale = scales.get(fieldOf(track, ['traf', 'tfhd'], 0)) ?? 1;
      // FFmpeg writes version 1, of 64 bits.
      const at = findBox(track, ['traf', 'tfdt']).content + fullBoxBytes;
      const ticks = track.readBigInt64BE(at);
      seconds ??= move(Number(ticks) / scale);
      track.writeBigInt64BE(ticks + BigInt(Math.round(seconds * scale)), at);
    }
  }
}

/** Returns the bytes of each box of a type within another box. */
function boxesIn(bytes: Buffer, { content, end }: Box, type: string): Buffer[] {
  const boxes = boxesBetween(bytes, content, end).filter((box) => box.type === type);
  return boxes.map((box) => bytes.subarray(box.start, box.end));
}

/** Reads 32 bits of a full box, some bytes after its version and flags. */
function fieldOf(bytes: Buffer, path: readonly string[], offset: number): number {
  return bytes.readUInt32BE(findBox(bytes, path).content + fullBoxBytes + offset);
}
