import { AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import { avGetCodecName, type Packet, type Stream } from 'node-av/lib';
import { packetSeconds, storesDuration } from '../../formats/packet-seconds.ts';
import { secondsToTicks } from '../timestamps.ts';

/** Corrects what the demuxer says about a packet, in place. */
export type PacketCorrection = (packet: Packet) => void;

/** Ticks over which a duration in Ogg is negative. */
const negativeTicks = 2n ** 31n;

/**
 * How the durations of a stream's packets are corrected; undefined if the demuxer's are right.
 *
 * FLV stores none, and the demuxer does not look for them inside the packets. In Ogg, more may be trimmed at the end of a
 * short file than its last packet holds, and the demuxer subtracts without a sign (FFmpeg 8.1, `vorbis_packet`); such a
 * packet lasts as long as the one before.
 */
export function durationCorrection(format: string, { codecpar, timeBase }: Stream): PacketCorrection | undefined {
  const { codecType, sampleRate } = codecpar;
  if (codecType !== AVMEDIA_TYPE_AUDIO) return undefined;
  if (format === 'ogg') {
    let previous = 0n;
    return (packet) => {
      const { duration } = packet;
      if (duration < negativeTicks) previous = duration;
      else packet.duration = previous;
    };
  }
  const codec = avGetCodecName(codecpar.codecId) ?? 'unknown';
  if (format !== 'flv' || !storesDuration(codec)) return undefined;
  return (packet) => {
    const { data } = packet;
    if (packet.duration > 0n || data === null) return;
    packet.duration = secondsToTicks(packetSeconds(codec, data, sampleRate), timeBase);
  };
}
