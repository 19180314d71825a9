import { Dictionary, FormatContext, InputFormat, Packet } from 'node-av/lib';
import { withFile } from '../../binary/byte-source.ts';
import { maxInputStreams } from '../../formats/container-formats.ts';
import { isShortTransportStream } from '../../formats/short-transport-stream.ts';
import { containerProbeBytes } from './growing-file.ts';
import type { Completeness, MediaInput } from './media-input.ts';

/**
 * Demuxers that may open files. Playlist demuxers (HLS, DASH, concat) are deliberately excluded, because they make the
 * library open other files and addresses. They have been shown to work even inside a file named `.mp4`.
 */
const demuxers = [
  ...['mov', 'matroska', 'webm', 'mpegts', 'mpeg', 'flv', 'avi', 'asf', 'ogg', 'mp3', 'aac', 'ac3', 'eac3', 'flac'],
  ...['wav', 'w64', 'aiff', 'caf', 'amr', 'dts', 'wv', 'ivf', 'h264', 'hevc', 'gif'],
].join(',');

/** Bytes and microseconds that may be read to detect the streams. */
const probeBytes = '20000000';

const analyzeMicroseconds = '10000000';

/**
 * Options for growing files. They prevent the library from reading at the end of the file, both for the file's duration
 * and for the indexes of later fragments.
 */
const growingFileOptions = {
  formatprobesize: `${containerProbeBytes}`,
  skip_estimate_duration_from_pts: '1',
  fflags: '+genpts+ignidx',
};

/**
 * Opens a file with the allowed demuxers and returns FFmpeg's result code.
 *
 * @param hasOpenEdits - whether the edits of an MP4 file play to the end of the media: the demuxer then only moves the
 * media to its start.
 */
export function openFile(
  context: FormatContext,
  path: string,
  completeness: Completeness,
  hasOpenEdits = false,
): number {
  const options = Dictionary.fromObject({
    protocol_whitelist: 'file',
    format_whitelist: demuxers,
    probesize: probeBytes,
    analyzeduration: analyzeMicroseconds,
    // One more than the limit, to detect files with too many.
    max_streams: `${maxInputStreams + 1}`,
    // AVI and MPEG program streams store only the decoding order.
    fflags: '+genpts',
    ...(hasOpenEdits ? { advanced_editlist: '0' } : {}),
    ...(completeness === 'growing' ? growingFileOptions : {}),
  });
  const format = withFile(path, isShortTransportStream) ? InputFormat.findInputFormat('mpegts') : null;
  return context.openInputSync(`file:${path}`, format, options);
}

/**
 * Returns the cover image in a stream. It is read from a reopened file: the library's own getter crashes (node-av
 * 6.1.1), and the first context must keep its packets for later reads. The process ends with its task, which frees
 * both.
 */
export function readCover({ path, streams }: MediaInput, at: number): Buffer | undefined {
  const context = new FormatContext();
  if (openFile(context, path, 'whole') < 0) return undefined;
  const packet = new Packet();
  packet.alloc();
  // Demuxers deliver all cover images before any other packets.
  for (let count = 0; count < streams.length && context.readFrameSync(packet) >= 0; count += 1) {
    const { data } = packet;
    if (packet.streamIndex === at && data !== null) return Buffer.from(data);
    packet.unref();
  }
  return undefined;
}
