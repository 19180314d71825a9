import { fullBoxBytes } from '../media/boxes.ts';
import { boxOf, rename } from './track-boxes.ts';
import type { Unusual } from './unusual-file.ts';

/** Files with a third track beside video and audio, in a format that few programs know. */
export const phoneFiles: Readonly<Record<string, Unusual>> = {
  'spatial.mp4': {
    about: 'has spatial audio (apac) beside AAC, as phones record it',
    addedBoxes: (bytes) => [unknownTrack(bytes, 'soun', 'apac')],
  },
  'described.mp4': {
    about: 'has timed metadata (mebx) beside video and audio',
    addedBoxes: (bytes) => [unknownTrack(bytes, 'meta', 'mebx')],
  },
};

/** Returns a third track: the audio with another handler type, another sample entry type and no decoder setup. */
function unknownTrack(file: Buffer, handler: string, codec: string): Buffer {
  const bytes = Buffer.from(file);
  rename(bytes, 1, handler, codec);
  // After the version come two times of four bytes each.
  bytes.writeUInt32BE(3, boxOf(bytes, 1, ['tkhd']).content + fullBoxBytes + 8);
  const { start, end } = boxOf(bytes, 1, []);
  const track = bytes.subarray(start, end);
  track.write('free', track.indexOf('esds'), 'latin1');
  return track;
}
