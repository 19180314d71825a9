import { AV_CODEC_ID_OPUS, AV_NOPTS_VALUE, AV_PKT_DATA_SKIP_SAMPLES } from 'node-av/constants';
import type { Stream } from 'node-av/lib';
import { isoFormat } from '../../formats/demuxer-names.ts';
import { packetSeconds } from '../../formats/packet-seconds.ts';
import { secondsToTicks, ticksToSeconds } from '../timestamps.ts';
import type { PacketCorrection } from './packet-times.ts';

/** Opus counts samples at this rate, whatever the rate of its source (RFC 7845 §5.1). */
const opusRate = 48_000;

/**
 * Returns a correction that ends Opus in MP4 where its track ends. The library lets decoders play all of the last packet,
 * because it does not know how much that is (FFmpeg 8.1, `mov_read_packet`).
 *
 * @param listsAllSamples - whether the index lists all packets, so that the duration of the track is final.
 */
export function endOpus(
  format: string,
  { codecpar, timeBase, duration: end }: Stream,
  listsAllSamples: boolean,
): PacketCorrection | undefined {
  if (format !== isoFormat || codecpar.codecId !== AV_CODEC_ID_OPUS || !listsAllSamples || end <= 0n) return undefined;
  return (packet) => {
    const { pts, duration, data } = packet;
    if (pts === AV_NOPTS_VALUE || pts + duration < end || data === null) return;
    const whole = pts + secondsToTicks(packetSeconds('opus', data, opusRate), timeBase);
    const surplus = Math.round((ticksToSeconds(whole - end, timeBase) ?? 0) * opusRate);
    if (surplus <= 0) return;
    const skip = packet.getSideData(AV_PKT_DATA_SKIP_SAMPLES);
    const stated = skip === null || skip.length < 10 ? Buffer.alloc(10) : Buffer.from(skip);
    stated.writeUInt32LE(surplus, 4);
    packet.addSideData(AV_PKT_DATA_SKIP_SAMPLES, stated);
  };
}
