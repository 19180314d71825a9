import type { Steps } from '../../../waiting/steps.ts';
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

/** Number of bytes of a PES packet that are read: those before the slices of a frame, and the first of these. */
const maxFrameBytes = 128 * 1024;
/** Maximum number of transport packets with tables, and of distinct parameter sets: far more than encoders write. */
const maxTables = 64;
const maxParameterSets = 64;
/** Number of transport packets that are read in one step. */
const packetsPerStep = 256;

/** The video of an MPEG-TS segment. It may end early if the segment was not read to its end. */
export interface TransportStreamVideo {
  readonly codec: NalCodec;
  readonly pid: number;
  /** The transport packets with the tables that lead to the video. */
  readonly tables: readonly Buffer[];
  /** The frames in decoding order: one for each PES packet. */
  readonly frames: readonly SegmentFrame[];
  /** The first of these PES packets; absent without frames. */
  readonly first?: FirstPacket;
  /** The distinct parameter sets between the frames. */
  readonly parameterSets: readonly Buffer[];
  /** When MPEG audio begins, in ticks of 90 kHz; absent if it was not found. */
  readonly audioPts?: number;
}

/** The first PES packet of a video. */
interface FirstPacket {
  /** Its header, with the times. */
  readonly header: Buffer;
  /** In ticks of 90 kHz. */
  readonly pts: number;
  /** Continuity counter of its first transport packet. */
  readonly counter: number;
}

/** The beginning of a PES packet. */
interface PacketPart {
  readonly chunks: Buffer[];
  bytes: number;
  readonly counter: number;
}

/**
 * Reads the video of an MPEG-TS segment, which may be incomplete or damaged. Other than the engine's own demuxer, this
 * one accepts any program and any streams beside the video.
 *
 * @returns undefined if the segment is no MPEG-TS, or has no H.264 or HEVC.
 */
export function* readTransportStreamVideo(segment: Buffer): Steps<TransportStreamVideo | undefined> {
  const begin = disguiseBytes(segment, true) ?? 0;
  const tables: Buffer[] = [];
  const mapPids = new Set<number>();
  let video: { readonly pid: number; readonly codec: NalCodec } | undefined;
  const parts: PacketPart[] = [];
  let audioPts: number | undefined;
  for (let at = begin; at + packetBytes <= segment.length && segment[at] === syncByte; at += packetBytes) {
    if ((at - begin) % (packetsPerStep * packetBytes) === 0) yield undefined;
    const packet = segment.subarray(at, at + packetBytes);
    const pid = packet.readUInt16BE(1) & 0x1fff;
    const startsUnit = (packet.readUInt8(1) & 0x40) !== 0;
    const payload = payloadOf(packet);
    if (payload === undefined) continue;
    if (pid === video?.pid) {
      if (startsUnit) parts.push({ chunks: [], bytes: 0, counter: packet.readUInt8(3) & 0xf });
      addTo(parts.at(-1), payload);
    } else if (video !== undefined && startsUnit) {
      audioPts ??= readPts(payload, 'audio');
    } else if (startsUnit && (pid === 0 || mapPids.has(pid))) {
      if (tables.length === maxTables) return undefined;
      tables.push(packet);
      if (pid === 0) for (const mapPid of readMapPids(payload)) mapPids.add(mapPid);
      else video = readVideoStream(payload);
    }
  }
  if (video === undefined) return undefined;
  const found = yield* readFrames(video.codec, parts);
  return { ...video, tables, ...found, ...(audioPts === undefined ? {} : { audioPts }) };
}

function addTo(part: PacketPart | undefined, payload: Buffer): void {
  if (part === undefined || part.bytes >= maxFrameBytes) return;
  part.chunks.push(payload);
  part.bytes += payload.length;
}

/** Reads the frames of PES packets. Packets without a time are skipped. */
function* readFrames(codec: NalCodec, parts: readonly PacketPart[]) {
  const frames: SegmentFrame[] = [];
  const sets = new Map<string, Buffer>();
  let first: FirstPacket | undefined;
  let previous: number | undefined;
  for (const { chunks, counter } of parts) {
    yield undefined;
    const bytes = Buffer.concat(chunks);
    const header = undefinedIfDeclined(() => readPesHeader(withoutLength(bytes), bytes.length, 'video'));
    if (header === undefined) continue;
    const pts = unwrapTimestamp(header.pts, previous ?? header.pts);
    previous = pts;
    first ??= { header: Buffer.from(bytes.subarray(0, header.payloadOffset)), pts, counter };
    const frame = bytes.subarray(header.payloadOffset);
    for (const unit of annexBUnits(frame)) {
      if (sets.size < maxParameterSets && isParameterSet(codec, unit)) sets.set(unit.toString('latin1'), unit);
    }
    frames.push({
      seconds: (pts - first.pts) / clockRate,
      isKey: beginsDecoding(codec, extradata, frame) === true,
      hasParameterSets: sets.size > 0,
    });
  }
  return { frames, parameterSets: [...sets.values()], ...(first === undefined ? {} : { first }) };
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
export function audioLag({ first, audioPts }: TransportStreamVideo): number | undefined {
  if (first === undefined || audioPts === undefined) return undefined;
  return (unwrapTimestamp(audioPts, first.pts) - first.pts) / clockRate;
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

/** Returns a PES packet of unstated length: the segment may have been read in part, or padded. */
function withoutLength(bytes: Buffer): Buffer {
  if (bytes.length >= 6) bytes.writeUInt16BE(0, 4);
  return bytes;
}
