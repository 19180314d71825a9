import { undefinedIfDeclined } from '../../engine/binary/fast-path-declined.ts';
import { beginsDecoding } from '../../engine/formats/key-frames.ts';
import { annexBUnits, type NalCodec } from '../../engine/formats/nal-units.ts';
import { isParameterSet } from '../../engine/formats/parameter-sets.ts';
import { packetBytes, syncByte } from '../../engine/mpeg-ts/demuxer.ts';
import { readPesHeader, unwrapTimestamp } from '../../engine/mpeg-ts/pes-header.ts';
import { clockRate } from '../../engine/mpeg-ts/track-builder.ts';
import { disguiseBytes } from '../undisguising-writer.ts';
import type { SegmentFrame } from './segment-frame.ts';

/** Stream types of the videos that are read (ISO/IEC 13818-1 table 2-34). */
const codecs: ReadonlyMap<number, NalCodec> = new Map([
  [0x1b, 'h264'],
  [0x24, 'hevc'],
]);

const extradata = Buffer.alloc(0);

/** A PES packet of the video, which usually is one frame. */
interface VideoPacket {
  /** Its header, with the times. */
  readonly header: Buffer;
  /** In ticks of 90 kHz; unwrapped from the first one on. */
  readonly pts: number;
  /** Its NAL units. */
  readonly units: readonly Buffer[];
  /** Continuity counter of its first transport packet. */
  readonly counter: number;
}

/** The video of an MPEG-TS segment. Its packets may end early if the segment was not read to its end. */
export interface TransportStreamVideo {
  readonly codec: NalCodec;
  readonly pid: number;
  /** The transport packets with the tables that lead to the video. */
  readonly tables: readonly Buffer[];
  readonly packets: readonly VideoPacket[];
  /** When MPEG audio begins, in ticks of 90 kHz; absent if it was not found. */
  readonly audioPts?: number;
}

/**
 * Reads the video of an MPEG-TS segment, which may be incomplete or damaged. Other than the engine's own demuxer, this
 * one accepts any program and any streams beside the video.
 *
 * @returns undefined if the segment is no MPEG-TS, or has no H.264 or HEVC.
 */
export function readTransportStreamVideo(segment: Buffer): TransportStreamVideo | undefined {
  const begin = disguiseBytes(segment, true) ?? 0;
  const tables: Buffer[] = [];
  const mapPids = new Set<number>();
  let video: { readonly pid: number; readonly codec: NalCodec } | undefined;
  const parts: { readonly chunks: Buffer[]; readonly counter: number }[] = [];
  let audioPts: number | undefined;
  for (let at = begin; at + packetBytes <= segment.length && segment[at] === syncByte; at += packetBytes) {
    const packet = segment.subarray(at, at + packetBytes);
    const pid = packet.readUInt16BE(1) & 0x1fff;
    const startsUnit = (packet.readUInt8(1) & 0x40) !== 0;
    const payload = payloadOf(packet);
    if (payload === undefined) continue;
    if (pid === video?.pid) {
      if (startsUnit) parts.push({ chunks: [payload], counter: packet.readUInt8(3) & 0xf });
      else parts.at(-1)?.chunks.push(payload);
    } else if (video !== undefined && startsUnit) {
      audioPts ??= readPts(payload, 'audio');
    } else if (startsUnit && (pid === 0 || mapPids.has(pid))) {
      tables.push(packet);
      if (pid === 0) for (const mapPid of readMapPids(payload)) mapPids.add(mapPid);
      else video = readVideoStream(payload);
    }
  }
  if (video === undefined) return undefined;
  return { ...video, tables, packets: readPackets(parts), ...(audioPts === undefined ? {} : { audioPts }) };
}

/** Returns the time of the first video or MPEG audio in an MPEG-TS segment, in ticks of 90 kHz; undefined without any. */
export function firstTimestamp(segment: Buffer): number | undefined {
  const begin = disguiseBytes(segment, true) ?? 0;
  for (let at = begin; at + packetBytes <= segment.length && segment[at] === syncByte; at += packetBytes) {
    const packet = segment.subarray(at, at + packetBytes);
    const payload = (packet.readUInt8(1) & 0x40) === 0 ? undefined : payloadOf(packet);
    const pts = payload && (readPts(payload, 'video') ?? readPts(payload, 'audio'));
    if (pts !== undefined) return pts;
  }
  return undefined;
}

/** Returns the seconds from the first frame in the file to the beginning of the segment's audio; undefined without audio. */
export function audioLag({ packets: [first], audioPts }: TransportStreamVideo): number | undefined {
  if (first === undefined || audioPts === undefined) return undefined;
  return (unwrapTimestamp(audioPts, first.pts) - first.pts) / clockRate;
}

/** Returns the frames of the video of a segment, in decoding order. */
export function transportStreamFrames({ codec, packets }: TransportStreamVideo): SegmentFrame[] {
  const [first] = packets;
  let hasParameterSets = false;
  return packets.map(({ pts, units }) => {
    hasParameterSets ||= units.some((unit) => isParameterSet(codec, unit));
    const seconds = (pts - (first?.pts ?? pts)) / clockRate;
    const frame = Buffer.concat(units.flatMap((unit) => [startCode, unit]));
    return { seconds, isKey: beginsDecoding(codec, extradata, frame) === true, hasParameterSets };
  });
}

/** What precedes a NAL unit. */
export const startCode = Buffer.from([0, 0, 0, 1]);

/** Returns what follows the header of a transport packet; undefined if there is nothing, or it is encrypted. */
function payloadOf(packet: Buffer): Buffer | undefined {
  const flags = packet.readUInt8(3);
  if ((flags & 0xd0) !== 0x10) return undefined;
  const begin = (flags & 0x20) === 0 ? 4 : 5 + packet.readUInt8(4);
  return begin < packetBytes ? packet.subarray(begin) : undefined;
}

/** Returns the section at the beginning of a payload, as far as the packet has it, without its checksum. */
function sectionOf(payload: Buffer): Buffer {
  const begin = 1 + payload.readUInt8(0);
  if (begin + 3 > payload.length) return Buffer.alloc(0);
  return payload.subarray(begin, Math.max(begin, begin + 3 + (payload.readUInt16BE(begin + 1) & 0xfff) - 4));
}

/** Reads the PIDs of the program maps (ISO/IEC 13818-1 §2.4.4.3). */
function readMapPids(payload: Buffer): number[] {
  const section = sectionOf(payload);
  const pids: number[] = [];
  for (let at = 8; at + 4 <= section.length; at += 4) {
    // Program 0 is the network information.
    if (section.readUInt16BE(at) !== 0) pids.push(section.readUInt16BE(at + 2) & 0x1fff);
  }
  return pids;
}

/** Reads the first video of a program map (ISO/IEC 13818-1 §2.4.4.8). */
function readVideoStream(payload: Buffer): { readonly pid: number; readonly codec: NalCodec } | undefined {
  const section = sectionOf(payload);
  if (section.length < 12) return undefined;
  for (let at = 12 + (section.readUInt16BE(10) & 0xfff); at + 5 <= section.length; ) {
    const codec = codecs.get(section.readUInt8(at));
    if (codec !== undefined) return { codec, pid: section.readUInt16BE(at + 1) & 0x1fff };
    at += 5 + (section.readUInt16BE(at + 3) & 0xfff);
  }
  return undefined;
}

/** Returns when the PES packet at the beginning of a payload begins, if it has that kind of stream. */
function readPts(payload: Buffer, kind: 'audio' | 'video'): number | undefined {
  return undefinedIfDeclined(() => readPesHeader(withoutLength(Buffer.from(payload)), payload.length, kind).pts);
}

/** Reads PES packets. Those without a time are skipped. */
function readPackets(parts: readonly { readonly chunks: readonly Buffer[]; readonly counter: number }[]) {
  const packets: VideoPacket[] = [];
  for (const { chunks, counter } of parts) {
    const bytes = Buffer.concat(chunks);
    const header = undefinedIfDeclined(() => readPesHeader(withoutLength(bytes), bytes.length, 'video'));
    if (header === undefined) continue;
    const pts = unwrapTimestamp(header.pts, packets.at(-1)?.pts ?? header.pts);
    const units = annexBUnits(bytes.subarray(header.payloadOffset));
    packets.push({ header: bytes.subarray(0, header.payloadOffset), pts, units, counter });
  }
  return packets;
}

/** Returns a PES packet of unstated length: the segment may have been read in part, or padded. */
function withoutLength(bytes: Buffer): Buffer {
  if (bytes.length >= 6) bytes.writeUInt16BE(0, 4);
  return bytes;
}
