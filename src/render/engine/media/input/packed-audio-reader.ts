import { AV_CODEC_ID_AAC, AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import { avGetAudioFrameDuration2, type Packet, type Stream } from 'node-av/lib';
import { withFile } from '../../binary/byte-source.ts';
import { parseAdtsFrame } from '../../formats/adts-frame.ts';
import {
  findTimestampTag,
  firstTimestampTag,
  listTimestampTags,
  type TimestampTag,
} from '../../formats/packed-audio.ts';
import { mpegTicksPerSecond, nearestTurn } from '../../timing/clock-turns.ts';
import { replaceData } from '../replace-data.ts';
import { secondsToTicks, ticksToSeconds } from '../timestamps.ts';
import type { ReadPacket } from './packet-reader.ts';

/** FFmpeg's names of the demuxers of audio that HLS playlists may pack (RFC 8216 §3.4, and Apple's authoring rules). */
const packedFormats: ReadonlySet<string> = new Set(['aac', 'mp3', 'ac3', 'eac3']);

/**
 * Maximum difference between a segment's timestamp and the end of the one before it, in seconds, up to which the audio
 * continues: packagers round, and a difference of a frame is no gap.
 */
const maxRounding = 0.05;

/** Number of samples in a block of E-AC-3, whose frames have up to six (ETSI TS 102 366 §E.1.2). */
const blockSamples = 256;

/** Returns the timestamp of the first frame of packed audio in seconds; undefined for other files. */
export function packedAudioStart(path: string, format: string): number | undefined {
  if (!packedFormats.has(format)) return undefined;
  const tag = withFile(path, firstTimestampTag);
  return tag === undefined ? undefined : tag.ticks / mpegTicksPerSecond;
}

/**
 * Returns a reader that gives packed audio the times of its tags, and removes the tags from its packets. The library
 * counts the frames from zero. In AAC, it skips the tags without counting their bytes; in MP3 and AC-3, it takes them for
 * audio. The clock does not wrap around.
 *
 * @param start - timestamp of the first frame, in seconds.
 */
export function readPackedAudio(
  readPacket: ReadPacket,
  path: string,
  streams: readonly Stream[],
  start: number,
): ReadPacket {
  const audio = streams.find(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO);
  if (audio === undefined) return readPacket;
  const takeTag = audio.codecpar.codecId === AV_CODEC_ID_AAC ? skippedTags(path) : removeTag;
  let end = start;
  const place = (packet: Packet) => {
    const { tag, follows } = takeTag(packet);
    const begin = follows ? end : beginAt(end, tag);
    const seconds = packet.size === 0 ? 0 : durationOf(packet, audio);
    packet.pts = packet.dts = secondsToTicks(begin, audio.timeBase);
    packet.duration = secondsToTicks(seconds, audio.timeBase);
    end = follows ? beginAt(begin + seconds, tag) : begin + seconds;
  };
  return (packet) => {
    const result = readPacket(packet);
    if (result >= 0 && packet.streamIndex === audio.index) place(packet);
    return result;
  };
}

/** Returns when a frame begins that follows another one, which has ended at `end`, and a tag, in seconds. */
function beginAt(end: number, tag: TimestampTag | undefined): number {
  if (tag === undefined) return end;
  const begin = nearestTurn('mpeg', tag.ticks / mpegTicksPerSecond, end);
  return Math.abs(begin - end) > maxRounding ? begin : end;
}

/** The tag before or after a packet. */
interface PacketTag {
  readonly tag?: TimestampTag | undefined;
  /** Whether the tag follows the packet, so that it belongs to the next one. */
  readonly follows: boolean;
}

/** Removes a tag from a packet, which may consist of it alone. */
function removeTag(packet: Packet): PacketTag {
  const { data } = packet;
  const tag = data === null ? undefined : findTimestampTag(data);
  if (data === null || tag === undefined) return { follows: false };
  replaceData(packet, Buffer.concat([data.subarray(0, tag.start), data.subarray(tag.end)]));
  return { tag, follows: tag.start > 0 };
}

/** Returns a function that finds the tag that the demuxer skipped before a packet, and corrects its position. */
function skippedTags(path: string): (packet: Packet) => PacketTag {
  const tags = withFile(path, listTimestampTags);
  let next = 0;
  let position = 0;
  return (packet) => {
    let tag: TimestampTag | undefined;
    for (let ahead = tags[next]; ahead !== undefined && ahead.start <= position; ahead = tags[next]) {
      tag = ahead;
      position = Math.max(position, ahead.end);
      next += 1;
    }
    packet.pos = BigInt(position);
    position += packet.size;
    return { tag, follows: false };
  };
}

/** Returns the duration of a packet in seconds, without the rounding of the library's clock. */
function durationOf({ data, size, duration }: Packet, { codecpar, timeBase }: Stream): number {
  const frame = codecpar.codecId === AV_CODEC_ID_AAC && data !== null ? parseAdtsFrame(data) : undefined;
  if (frame !== undefined) return frame.samples / frame.sampleRate;
  const { sampleRate } = codecpar;
  if (sampleRate <= 0) return 0;
  const samples = avGetAudioFrameDuration2(codecpar, size);
  if (samples > 0) return samples / sampleRate;
  const seconds = ticksToSeconds(duration, timeBase) ?? 0;
  return (Math.round((seconds * sampleRate) / blockSamples) * blockSamples) / sampleRate;
}
