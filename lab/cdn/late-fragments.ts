import { findBox, fullBoxBytes } from '../media/boxes.ts';
import { moveFragments } from './move-fragments.ts';
import type { Unusual } from './unusual-file.ts';

/** Audio in fragmented MP4 that begins later than its presentation, by the seconds. */
export const lateFiles: Readonly<Record<string, Unusual>> = {
  'late-4.mp4': lateAudio(4),
  'late-12.mp4': lateAudio(12),
};

function lateAudio(seconds: number): Unusual {
  return {
    about: `fragmented MP4 of audio that begins ${seconds} s after the beginning of the presentation`,
    source: 'audio.mp4',
    patch(bytes) {
      moveFragments(bytes, () => seconds);
      // In an index, the time of its first fragment follows an ID and the ticks per second. FFmpeg writes version 1.
      const at = findBox(bytes, ['sidx']).content + fullBoxBytes;
      const time = bytes.readBigUInt64BE(at + 8);
      bytes.writeBigUInt64BE(time + BigInt(seconds * bytes.readUInt32BE(at + 4)), at + 8);
    },
  };
}
