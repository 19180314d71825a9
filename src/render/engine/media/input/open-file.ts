import { Dictionary, FormatContext, InputFormat, Packet } from 'node-av/lib';
import { withFile } from '../../binary/byte-source.ts';
import { maxInputStreams } from '../../formats/container-formats.ts';
import { isShortTransportStream } from '../../formats/short-transport-stream.ts';
import { containerProbeBytes } from './growing-file.ts';
import type { Completeness, MediaInput } from './media-input.ts';

/**
 * Demuxers that files are opened with. Playlists (HLS, DASH, concat), which make the library open other files and
 * addresses, are left out on purpose: they have been shown to work even inside a file named `.mp4`.
 */
const demuxers = [
  ...['mov', 'matroska', 'webm', 'mpegts', 'mpeg', 'flv', 'avi', 'asf', 'ogg', 'mp3', 'aac', 'ac3', 'eac3', 'flac'],
  ...['wav', 'w64', 'aiff', 'caf', 'amr', 'dts', 'wv', 'ivf', 'h264', 'hevc', 'gif'],
].join(',');

/** Bytes and microseconds that may be read to learn what the streams are. */
const probeBytes = '20000000';

const analyzeMicroseconds = '10000000';

/**
 * Of a file that is still arriving the end is not looked at: neither for how long it plays, nor for the indexes of the
 * fragments that follow.
 */
const growingFileOptions = {
  formatprobesize: `${containerProbeBytes}`,
  skip_estimate_duration_from_pts: '1',
  fflags: '+genpts+ignidx',
};

/** Opens a file with the demuxers that are allowed; returns what FFmpeg returns. */
export function openFile(context: FormatContext, path: string, completeness: Completeness): number {
  const options = Dictionary.fromObject({
    protocol_whitelist: 'file',
    format_whitelist: demuxers,
    probesize: probeBytes,
    analyzeduration: analyzeMicroseconds,
    // One more shows that there are too many.
    max_streams: `${maxInputStreams + 1}`,
    // AVI and MPEG program streams tell the decoding order alone.
    fflags: '+genpts',
    ...(completeness === 'growing' ? growingFileOptions : {}),
  });
  const format = withFile(path, isShortTransportStream) ? InputFormat.findInputFormat('mpegts') : null;
  return context.openInputSync(`file:${path}`, format, options);
}

/**
 * The cover picture that a stream is. It is read from the file anew: the library's own getter crashes (node-av 6.1.1),
 * and the first context has to keep its packets for what comes. The process ends with its task and frees both.
 */
export function readCover({ path, streams }: MediaInput, at: number): Buffer | undefined {
  const context = new FormatContext();
  if (openFile(context, path, 'whole') < 0) return undefined;
  const packet = new Packet();
  packet.alloc();
  // Demuxers hand over all cover pictures before anything else.
  for (let count = 0; count < streams.length && context.readFrameSync(packet) >= 0; count += 1) {
    const { data } = packet;
    if (packet.streamIndex === at && data !== null) return Buffer.from(data);
    packet.unref();
  }
  return undefined;
}
