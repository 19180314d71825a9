import { AV_CODEC_ID_FLAC } from 'node-av/constants';
import type { FormatContext, Stream } from 'node-av/lib';
import { flacStreamInfo, parseFlacFrame } from '../../formats/flac-frame.ts';
import { readFirstPackets } from './read-first-packets.ts';

/** Whether a file has streams that need {@link addFlacHeaders}. */
export function lacksFlacHeader({ streams }: FormatContext): boolean {
  return streams.some(lacksExtradata);
}

/**
 * Adds to FLAC streams the header that every other container needs. Core Audio files (CAF) written by FFmpeg have no
 * such header, and decoders do not require it.
 *
 * @param reader - the same file, opened again.
 * @param maxBytes - limit for the read position, because the file may still be growing.
 */
export function addFlacHeaders({ streams }: FormatContext, reader: FormatContext, maxBytes: bigint): void {
  const indexes = streams.filter(lacksExtradata).map(({ index }) => index);
  readFirstPackets(reader, maxBytes, indexes, ({ data, streamIndex }) => {
    const codecpar = streams[streamIndex]?.codecpar;
    const frame = data === null ? undefined : parseFlacFrame(data);
    if (codecpar === undefined || frame === undefined) return true;
    const bits = frame.bits || codecpar.bitsPerRawSample || codecpar.bitsPerCodedSample;
    const sampleRate = frame.sampleRate || codecpar.sampleRate;
    if (bits > 0 && sampleRate > 0) codecpar.extradata = flacStreamInfo({ ...frame, bits, sampleRate });
    return true;
  });
}

function lacksExtradata({ codecpar: { codecId, extradata } }: Stream): boolean {
  return codecId === AV_CODEC_ID_FLAC && (extradata === null || extradata.length === 0);
}
