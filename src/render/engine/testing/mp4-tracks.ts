import type { ByteSource } from '../binary/byte-source.ts';
import { box, fullBox, u16, u32 } from '../mp4/box-writer.ts';
import { SampleList } from '../mp4/sample-list.ts';
import { identityMatrix, type Track } from '../mp4/track-reader.ts';

/** A sample as written in tests. */
export interface TestSample {
  readonly offset?: number;
  readonly size: number;
  readonly duration: number;
  readonly composition?: number;
  readonly sync?: boolean;
}

/** Creates a list of samples that are contiguous from offset 0, unless they have other offsets. */
export function testSamples(samples: readonly TestSample[], start = 0): SampleList {
  const list = new SampleList(samples.length);
  list.start = start;
  list.reserve(samples.length);
  let end = 0;
  for (const { offset = end, size, duration, composition = 0, sync = true } of samples) {
    list.add(offset, size, duration, composition, sync);
    end = offset + size;
  }
  return list;
}

/** Returns the content of a list as plain arrays. */
export function sampleArrays({ offsets, sizes, durations, compositions, sync, count }: SampleList) {
  return {
    offsets: [...offsets.subarray(0, count)],
    sizes: [...sizes.subarray(0, count)],
    durations: [...durations.subarray(0, count)],
    compositions: [...compositions.subarray(0, count)],
    sync: [...sync.subarray(0, count)],
  };
}

/** Returns an `stsd` box with an H.264 entry of 160 by 90 that no decoder could use. */
function videoDescription(): Buffer {
  const head = Buffer.alloc(78);
  head.writeUInt16BE(1, 6);
  head.writeUInt16BE(160, 24);
  head.writeUInt16BE(90, 26);
  // Profile, level, lengths of four bytes, no parameter sets.
  const setup = box('avcC', Buffer.from([1, 100, 0, 10, 0xff, 0xe0, 0]));
  return fullBox('stsd', 0, 0, u32(1), box('avc1', head, setup));
}

/** Returns an `stsd` box with an Opus entry. */
function audioDescription(): Buffer {
  const head = Buffer.concat([u32(0), u16(0, 1), u32(0, 0), u16(2, 16, 0, 0), u32(48_000 * 65_536)]);
  const setup = box('dOps', Buffer.from([0, 2, 1, 0x38, 0, 0, 0xbb, 0x80, 0, 0, 0]));
  return fullBox('stsd', 0, 0, u32(1), box('Opus', head, setup));
}

/** Returns a track of one kind. */
export function testTrack(kind: 'video' | 'audio', changes: Partial<Track> = {}): Track {
  return {
    id: 1,
    kind,
    codec: kind === 'video' ? 'h264' : 'opus',
    timescale: kind === 'video' ? 12_800 : 48_000,
    ticks: 0,
    language: 0x55c4,
    description: kind === 'video' ? videoDescription() : audioDescription(),
    matrix: identityMatrix,
    width: kind === 'video' ? 160 * 65_536 : 0,
    height: kind === 'video' ? 90 * 65_536 : 0,
    table: [],
    ...changes,
  };
}

/** Returns a file of `size` bytes that begins with `head` and continues with zeros. */
export function sparseSource(head: Buffer, size: number): ByteSource {
  return {
    size,
    read(offset, length) {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - offset)));
      head.copy(bytes, 0, Math.min(offset, head.length));
      return bytes;
    },
  };
}
