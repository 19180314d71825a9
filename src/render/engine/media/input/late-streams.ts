import { AV_CODEC_ID_NONE, AVDISCARD_ALL, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import type { FormatContext, Packet, Stream } from 'node-av/lib';
import { readFirstPackets } from './read-first-packets.ts';

/** Whether the library has seen no frame of a stream: its frame size or sample rate is unknown. */
export function isUndescribed({ codecpar: { codecType, width, sampleRate } }: Stream): boolean {
  return (codecType === AVMEDIA_TYPE_VIDEO && width === 0) || (codecType === AVMEDIA_TYPE_AUDIO && sampleRate === 0);
}

/** Whether the codec of a video is known, but no frame of it was seen. */
export function isUndescribedVideo(stream: Stream): boolean {
  const { codecType, codecId } = stream.codecpar;
  return codecType === AVMEDIA_TYPE_VIDEO && codecId !== AV_CODEC_ID_NONE && isUndescribed(stream);
}

/**
 * Returns the indexes of the videos that have packets, although no frame of them can be read.
 *
 * @param reader - the same file, opened again. It is read to its end if a video has no packet.
 * @param bytes - size of the file.
 */
export function findUnreadableVideos(
  { streams }: FormatContext,
  reader: FormatContext,
  bytes: number,
): ReadonlySet<number> {
  const videos = streams.filter(isUndescribedVideo).map(({ index }) => index);
  for (const stream of reader.streams) if (!videos.includes(stream.index)) stream.discard = AVDISCARD_ALL;
  const found = new Set<number>();
  readFirstPackets(reader, BigInt(bytes), videos, ({ streamIndex }) => {
    found.add(streamIndex);
    return true;
  });
  return found;
}

/**
 * Describes the MPEG-TS streams whose first frame comes late in the file, or is known to be complete only at the end of
 * the file. The latter applies to a single video frame with audio: the length of the frame is not stored, so the
 * demuxer waits for the next frame. The search keeps no packets of other streams in memory.
 *
 * @param reader - the same file, opened again. It is read to its end.
 * @returns The first packet of each stream that was described. The demuxer may deliver it long after the packets that
 * follow it.
 */
export function describeLateStreams({ streams }: FormatContext, reader: FormatContext): Packet[] {
  const late = streams.filter(isUndescribed).map(({ index }) => index);
  for (const stream of reader.streams) if (!late.includes(stream.index)) stream.discard = AVDISCARD_ALL;
  const firstPackets: Packet[] = [];
  if (reader.findStreamInfoSync(null) < 0) return firstPackets;
  const describedIndexes: number[] = [];
  for (const index of late) {
    const [to, from] = [streams[index], reader.streams[index]];
    if (to === undefined || from === undefined || from.id !== to.id || isUndescribed(from)) continue;
    from.codecpar.copy(to.codecpar);
    to.avgFrameRate = from.avgFrameRate;
    to.startTime = from.startTime;
    describedIndexes.push(index);
  }
  readFirstPackets(reader, reader.pbBytes, describedIndexes, (packet) => {
    const first = packet.clone();
    if (first !== null) firstPackets.push(first);
    return true;
  });
  return firstPackets;
}
