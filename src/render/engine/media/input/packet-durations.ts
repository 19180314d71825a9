import { AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import { avGetCodecName, type Packet, type Stream } from 'node-av/lib';
import { packetSeconds, storesDuration } from '../../formats/packet-seconds.ts';
import { secondsToTicks } from '../timestamps.ts';

/** Corrects a packet's duration in place. */
export type PacketCorrection = (packet: Packet) => void;

/** Number of ticks from which a duration in Ogg is a wrapped negative number. */
const negativeTicks = 2n ** 31n;

/**
 * Returns the correction for the durations of a stream's packets; undefined if the demuxer's are right.
 *
 * FLV stores no durations, and the demuxer does not look for them inside the packets. In Ogg, more audio may be trimmed
 * at the end of a short file than its last packet contains, and the demuxer uses unsigned subtraction (FFmpeg 8.1,
 * `vorbis_packet`). Such a packet gets the duration of the one before it.
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
