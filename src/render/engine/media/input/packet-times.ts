import { AV_CODEC_ID_AAC, AV_NOPTS_VALUE, AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import { avGetCodecName, type IRational, type Packet, type Stream } from 'node-av/lib';
import { parseAdtsFrame } from '../../formats/adts-frame.ts';
import { packetSeconds, storesDuration } from '../../formats/packet-seconds.ts';
import { secondsToTicks } from '../timestamps.ts';

/** Corrects the times of a packet in place. */
export type PacketCorrection = (packet: Packet) => void;

/** Returns a correction that makes two; undefined if neither is needed. */
export function inOrder(
  one: PacketCorrection | undefined,
  two: PacketCorrection | undefined,
): PacketCorrection | undefined {
  if (one === undefined || two === undefined) return one ?? two;
  return (packet) => {
    one(packet);
    two(packet);
  };
}

/** Number of ticks from which a duration in Ogg is a wrapped negative number. */
const negativeTicks = 2n ** 31n;

/**
 * Returns the correction for the times of a stream's packets; undefined if the demuxer's are right.
 *
 * FLV stores no durations, and the demuxer does not look for them inside the packets. In Ogg, more audio may be trimmed
 * at the end of a short file than its last packet contains, and the demuxer uses unsigned subtraction (FFmpeg 8.1,
 * `vorbis_packet`). Such a packet gets the duration of the one before it. In ADTS, the demuxers count all frames at the
 * sample rate of the first one, although each has a rate.
 *
 * @param shiftSeconds - seconds to add to all times. Only MP4 needs it.
 */
export function timeCorrection(
  format: string,
  { codecpar, timeBase }: Stream,
  shiftSeconds: number,
): PacketCorrection | undefined {
  const { codecType, sampleRate } = codecpar;
  if (shiftSeconds !== 0) return shiftTimes(secondsToTicks(shiftSeconds, timeBase));
  if (codecType !== AVMEDIA_TYPE_AUDIO) return undefined;
  if (format === 'ogg') {
    let previous = 0n;
    return (packet) => {
      const { duration } = packet;
      if (duration < negativeTicks) previous = duration;
      else packet.duration = previous;
    };
  }
  if (codecpar.codecId === AV_CODEC_ID_AAC && format === 'aac') return countAdtsFrames(timeBase);
  if (codecpar.codecId === AV_CODEC_ID_AAC && format === 'mpegts') return (packet) => setAdtsDuration(packet, timeBase);
  const codec = avGetCodecName(codecpar.codecId) ?? 'unknown';
  if (format !== 'flv' || !storesDuration(codec)) return undefined;
  return (packet) => {
    const { data } = packet;
    if (packet.duration > 0n || data === null) return;
    packet.duration = secondsToTicks(packetSeconds(codec, data, sampleRate), timeBase);
  };
}

/** Returns the correction for a stream whose times are all too early or too late by as many ticks. */
function shiftTimes(ticks: bigint): PacketCorrection {
  return (packet) => {
    if (packet.pts !== AV_NOPTS_VALUE) packet.pts += ticks;
    if (packet.dts !== AV_NOPTS_VALUE) packet.dts += ticks;
  };
}

/** Returns the correction for a file of ADTS frames, which has no timestamps: each frame begins where the last one ends. */
function countAdtsFrames(base: IRational): PacketCorrection {
  let end: bigint | undefined;
  return (packet) => {
    const start = end ?? (packet.pts === AV_NOPTS_VALUE ? 0n : packet.pts);
    packet.pts = packet.dts = start;
    setAdtsDuration(packet, base);
    end = start + packet.duration;
  };
}

/** Sets the duration that an ADTS frame states. */
function setAdtsDuration(packet: Packet, base: IRational): void {
  const frame = packet.data === null ? undefined : parseAdtsFrame(packet.data);
  if (frame !== undefined) packet.duration = secondsToTicks(frame.samples / frame.sampleRate, base);
}
