import { boxesBetween, findBox, fullBoxBytes } from '../media/boxes.ts';
import { boxOf } from './track-boxes.ts';
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
      // After the version come two times of four bytes each, then the ticks per second.
      const ticks = seconds * bytes.readUInt32BE(boxOf(bytes, 0, ['mdia', 'mdhd']).content + fullBoxBytes + 8);
      for (const { type, content, end } of boxesBetween(bytes, 0, bytes.length)) {
        // In an index, the time of its first fragment follows an ID and the ticks per second.
        if (type === 'sidx') addTo(bytes, content, content + fullBoxBytes + 8, ticks);
        if (type !== 'moof') continue;
        const fragment = bytes.subarray(content, end);
        const { content: time } = findBox(fragment, ['traf', 'tfdt']);
        addTo(fragment, time, time + fullBoxBytes, ticks);
      }
    },
  };
}

/** Adds to a time of a full box, which has eight bytes in version 1 and four in version 0. */
function addTo(bytes: Buffer, box: number, at: number, ticks: number): void {
  if (bytes.readUInt8(box) === 1) bytes.writeBigUInt64BE(bytes.readBigUInt64BE(at) + BigInt(ticks), at);
  else bytes.writeUInt32BE(bytes.readUInt32BE(at) + ticks, at);
}
