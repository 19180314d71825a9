import { AV_PKT_DATA_SKIP_SAMPLES } from 'node-av/constants';
import type { Sink } from '../sink.ts';

/**
 * Samples by which every decoder of MP3 delays its output, and which players skip in addition to the delay that a file
 * states.
 */
const decoderDelay = 529;

/**
 * Returns a sink that states the number of samples to skip as the muxer of MP3 expects it. It takes the delay from the
 * first packet with such a number, and subtracts that of decoders from it without a sign (FFmpeg 8.1,
 * `mp3_write_audio_packet`). If only the last packet has a number, because it is padded, players would skip 93 ms.
 *
 * @returns The given sink itself for other muxers.
 */
export function keepMp3Delay(sink: Sink, muxer: string): Sink {
  if (muxer !== 'mp3') return sink;
  return {
    ...sink,
    push: (packet) => {
      const skip = packet.getSideData(AV_PKT_DATA_SKIP_SAMPLES);
      if (skip !== null && skip.length >= 4 && skip.readUInt32LE(0) < decoderDelay) {
        const stated = Buffer.from(skip);
        stated.writeUInt32LE(decoderDelay, 0);
        packet.addSideData(AV_PKT_DATA_SKIP_SAMPLES, stated);
      }
      sink.push(packet);
    },
  };
}
