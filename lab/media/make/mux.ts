import { AVFMT_FLAG_BITEXACT, AVFMT_NOFILE, AVIO_FLAG_WRITE } from 'node-av/constants';
import {
  CodecContext,
  type CodecParameters,
  Dictionary,
  FFmpegError,
  FormatContext,
  IOContext,
  type Packet,
  type Rational,
} from 'node-av/lib';

/** Stream of the new file. */
interface MuxStream {
  /** Codec of the stream: an open encoder, or the parameters of another file's stream. */
  readonly parameters: CodecContext | CodecParameters;
  /** Time base of its packets' timestamps, in seconds. */
  readonly unit: Rational;
}

/** Open file. */
export interface Muxer {
  /** Writes a packet, whose timestamps are in its stream's time base. The packet is modified. */
  write(stream: number, packet: Packet): void;
  /** Writes the end of the file and closes it. */
  finish(): void;
}

/** Starts a file with the FFmpeg muxer of the given name. */
export function openMuxer(
  name: string,
  output: string,
  options: Readonly<Record<string, string>>,
  streams: readonly MuxStream[],
): Muxer {
  const context = new FormatContext();
  FFmpegError.throwIfError(context.allocOutputContext2(null, name, output), `start ${name}`);
  // Without random identifiers and dates, the same recipe produces the same bytes.
  context.setFlags(AVFMT_FLAG_BITEXACT);
  for (const { parameters, unit } of streams) {
    const stream = context.newStream();
    FFmpegError.throwIfError(
      parameters instanceof CodecContext ? stream.codecpar.fromContext(parameters) : parameters.copy(stream.codecpar),
      'describe a stream',
    );
    stream.codecpar.codecTag = 0;
    stream.timeBase = unit;
  }
  const io = context.oformat?.hasFlags(AVFMT_NOFILE) ? undefined : openFile(context, output);
  FFmpegError.throwIfError(
    context.writeHeaderSync(Dictionary.fromObject({ ...options })),
    `write the head of ${output}`,
  );
  const units = context.streams.map((stream) => stream.timeBase);

  return {
    write(index, packet) {
      const from = streams[index]?.unit;
      const to = units[index];
      if (from === undefined || to === undefined) throw new Error(`${output} has no stream ${index}.`);
      packet.streamIndex = index;
      packet.rescaleTs(from, to);
      FFmpegError.throwIfError(context.interleavedWriteFrameSync(packet), `write ${output}`);
    },
    finish() {
      FFmpegError.throwIfError(context.writeTrailerSync(), `finish ${output}`);
      if (io !== undefined) {
        context.pb = null;
        FFmpegError.throwIfError(io.closepSync(), `close ${output}`);
      }
      context.freeContext();
    },
  };
}

function openFile(context: FormatContext, output: string): IOContext {
  const io = new IOContext();
  FFmpegError.throwIfError(io.open2Sync(output, AVIO_FLAG_WRITE), `open ${output}`);
  context.pb = io;
  return io;
}
