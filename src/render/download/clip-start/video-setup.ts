import { nalTypeOf } from '../../engine/formats/nal-units.ts';
import { packetBytes, syncByte } from '../../engine/mpeg-ts/demuxer.ts';
import { startCode, type TransportStreamVideo } from './transport-stream-video.ts';

const headerBytes = 4;

/**
 * Returns what a file needs before a segment that lacks the parameter sets of its video: the tables of the segment, and
 * a PES packet of the sets, at the time of the first frame. If a playlist is made from MP4 with open groups of pictures,
 * only its first segment has the sets (FFmpeg's `h264_mp4toannexb`, seen 2026-11-28).
 *
 * @param segment - the segment that the file will begin with.
 * @param source - a segment of the same video that has the sets.
 * @returns undefined if that one lacks them, too.
 */
export function createVideoSetup(segment: TransportStreamVideo, source: TransportStreamVideo): Buffer | undefined {
  const { codec, pid, tables, first } = segment;
  // Sets refer to those of lower types.
  const sets = source.parameterSets.toSorted((a, b) => nalTypeOf(codec, a) - nalTypeOf(codec, b));
  if (first === undefined || codec !== source.codec || sets.length === 0) return undefined;
  const pes = Buffer.concat([first.header, ...sets.flatMap((set) => [startCode, set])]);
  // Without a stated length, the packet ends where the next one begins.
  pes.writeUInt16BE(0, 4);
  return Buffer.concat([...tables.map(beforeItself), ...transportPackets(pid, pes, first.counter)]);
}

/** Returns a transport packet as its own predecessor, so that readers miss nothing between the two. */
function beforeItself(packet: Buffer): Buffer {
  const copy = Buffer.from(packet);
  const flags = copy.readUInt8(3);
  copy.writeUInt8((flags & 0xf0) | ((flags - 1) & 0xf), 3);
  return copy;
}

/**
 * Splits a PES packet into transport packets (ISO/IEC 13818-1 §2.4.3.2).
 *
 * @param next - continuity counter of the packet after them.
 */
function transportPackets(pid: number, pes: Buffer, next: number): Buffer[] {
  const payloadBytes = packetBytes - headerBytes;
  const count = Math.ceil(pes.length / payloadBytes);
  return Array.from({ length: count }, (_, at) => {
    const payload = pes.subarray(at * payloadBytes, (at + 1) * payloadBytes);
    const stuffing = payloadBytes - payload.length;
    const header = Buffer.alloc(headerBytes + stuffing, 0xff);
    header.writeUInt8(syncByte, 0);
    header.writeUInt16BE((at === 0 ? 0x4000 : 0) | pid, 1);
    header.writeUInt8((stuffing > 0 ? 0x30 : 0x10) | ((next - count + at) & 0xf), 3);
    // The adaptation field fills the packet: its length, its flags, and padding.
    if (stuffing > 0) header.writeUInt8(stuffing - 1, headerBytes);
    if (stuffing > 1) header.writeUInt8(0, headerBytes + 1);
    return Buffer.concat([header, payload]);
  });
}
