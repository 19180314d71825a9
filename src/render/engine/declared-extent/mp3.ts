import type { ByteSource } from '../binary/byte-source.ts';
import type { DeclaredExtent } from '../binary/declared-extent.ts';
import { skipId3Tag } from '../binary/id3-tag.ts';

const sampleRates = [44_100, 48_000, 32_000];

/**
 * Reads the Xing, Info or VBRI header in the first frame of an MP3 file, which counts the frames that follow. The media
 * library ignores the header when the file is much shorter than declared, which is exactly the case to detect. Returns
 * undefined for other files.
 */
export function mp3DeclaredExtent(source: ByteSource): DeclaredExtent | undefined {
  const start = skipId3Tag(source);
  const frame = source.read(start, 256);
  if (frame.length < 64 || frame[0] !== 0xff || ((frame[1] ?? 0) & 0xe6) !== 0xe2) return undefined;
  const version = ((frame[1] ?? 0) >> 3) & 3; // 3: MPEG 1, 2: MPEG 2, 0: MPEG 2.5
  const baseRate = sampleRates[((frame[2] ?? 0) >> 2) & 3];
  if (version === 1 || baseRate === undefined) return undefined;
  const frames = countFrames(frame, version === 3, (frame[3] ?? 0) >> 6 === 3);
  if (frames === undefined) return {};
  const rate = baseRate / (version === 3 ? 1 : version === 2 ? 2 : 4);
  return { duration: (frames * (version === 3 ? 1152 : 576)) / rate };
}

/** Returns the frame count from the header that follows the frame's side information, whose length varies. */
function countFrames(frame: Buffer, mpeg1: boolean, mono: boolean): number | undefined {
  const xing = 4 + (mpeg1 ? (mono ? 17 : 32) : mono ? 9 : 17);
  const mark = frame.toString('latin1', xing, xing + 4);
  const hasXing = mark === 'Xing' || mark === 'Info';
  if (hasXing) return (frame.readUInt32BE(xing + 4) & 1) === 1 ? frame.readUInt32BE(xing + 8) : undefined;
  return frame.toString('latin1', 36, 40) === 'VBRI' ? frame.readUInt32BE(36 + 14) : undefined;
}
