import { AV_PKT_DATA_SKIP_SAMPLES } from 'node-av/constants';
import { avGetCodecName, type Packet } from 'node-av/lib';
import { packetSeconds } from '../../formats/packet-seconds.ts';
import type { NamedStream, Sink } from '../sink.ts';
import { secondsToTicks } from '../timestamps.ts';

/** Muxers that state where audio ends only by the duration of its last packet. */
const muxers: ReadonlySet<string> = new Set(['mp4', 'mov', 'ipod']);

/**
 * Returns a sink that shortens the packets of audio by the samples at their end that players skip, as the muxers of MP4
 * expect it, and leaves packets out of which nothing is played. MP3, WebM and edit lists state these samples beside the packet.
 *
 * @returns The given sink itself for other muxers and streams.
 */
export function stateEnd(sink: Sink, first: NamedStream, muxer: string): Sink {
  const { frameSize, sampleRate, codecId } = first.stream.codecpar;
  if (!muxers.has(muxer) || sampleRate <= 0) return sink;
  const codec = avGetCodecName(codecId) ?? 'unknown';
  let base = first.stream.timeBase;
  let skippedPackets = 0;
  const wholeSeconds = ({ data }: Packet) => {
    if (frameSize > 0) return frameSize / sampleRate;
    return data === null ? 0 : packetSeconds(codec, data, sampleRate);
  };
  return {
    ...sink,
    push: (packet) => {
      const skip = packet.getSideData(AV_PKT_DATA_SKIP_SAMPLES);
      const surplus = skip === null || skip.length < 8 ? 0 : skip.readUInt32LE(4);
      const seconds = surplus > 0 ? wholeSeconds(packet) : 0;
      if (seconds > 0) {
        const played = secondsToTicks(seconds - surplus / sampleRate, base);
        if (played <= 0n) {
          skippedPackets += 1;
          return;
        }
        if (played < packet.duration) packet.duration = played;
      }
      sink.push(packet);
    },
    droppedCount: () => skippedPackets + (sink.droppedCount?.() ?? 0),
    startPart: (next) => {
      base = next?.stream.timeBase ?? base;
      return sink.startPart(next);
    },
  };
}
