import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AV_LOG_ERROR, AVERROR_EAGAIN, AVERROR_EOF, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import {
  avGetCodecName,
  Codec,
  CodecContext,
  FFmpegError,
  FormatContext,
  Frame,
  Log,
  Packet,
  type Stream,
} from 'node-av/lib';
import { serveCalls } from '../../../test/support/child-calls.ts';

// The process in which the lab's tests decode media.

/** Decoded content of a stream. */
export interface StreamReport {
  readonly kind: 'video' | 'audio';
  readonly codec: string;
  readonly width: number;
  readonly height: number;
  /** When the first packet is played, in seconds. */
  readonly start: number;
  /** Seconds from the start of the first packet to the end of the last. */
  readonly seconds: number;
  /** Number of decoded frames. */
  readonly frames: number;
  /** The decoded frames of a video: when they are displayed, in milliseconds, and a digest of their pixels. */
  readonly pictures: readonly Picture[];
}

/** A frame of a video. */
export interface Picture {
  readonly time: number;
  readonly digest: string;
}

/** Stream with its decoder. */
interface StreamDecoder {
  readonly decoder: CodecContext;
  readonly stream: Stream;
  readonly pictures: Picture[];
  frames: number;
}

/** Messages of the engine; a clean file causes none. */
let complaints: string[] = [];
Log.setLevel(AV_LOG_ERROR);
Log.setCallback((_level, message) => complaints.push(message), { maxLevel: AV_LOG_ERROR });

const calls = { read };
serveCalls(calls);

/** Calls of the process. */
export type ReaderCalls = typeof calls;

/**
 * Decodes the video and audio of a file or an address, to the last frame.
 *
 * @throws Error when the engine cannot open it, or reports a problem with it.
 */
async function read(address: string): Promise<readonly StreamReport[]> {
  complaints = [];
  const context = new FormatContext();
  FFmpegError.throwIfError(context.openInputSync(address), 'open');
  FFmpegError.throwIfError(context.findStreamInfoSync(), 'probe');
  // Subtitles and lists of chapters have no decoder here.
  const mediaStreams = context.streams.filter(
    ({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_VIDEO || codecpar.codecType === AVMEDIA_TYPE_AUDIO,
  );
  const streams = mediaStreams.map((stream) => {
    const codec = Codec.findDecoder(stream.codecpar.codecId);
    const decoder = new CodecContext();
    decoder.allocContext3(codec);
    FFmpegError.throwIfError(decoder.parametersToContext(stream.codecpar), 'configure');
    FFmpegError.throwIfError(decoder.open2Sync(codec), 'open the decoder');
    return {
      stream,
      codec: avGetCodecName(stream.codecpar.codecId) ?? '',
      decoder,
      frames: 0,
      pictures: [],
      from: Number.POSITIVE_INFINITY,
      to: 0,
    };
  });
  const frame = new Frame();
  frame.alloc();
  const packet = new Packet();
  packet.alloc();
  for (;;) {
    const result = context.readFrameSync(packet);
    if (result === AVERROR_EOF) break;
    FFmpegError.throwIfError(result, 'read');
    const each = streams.find(({ stream }) => stream.index === packet.streamIndex);
    if (each === undefined) continue;
    const unit = each.stream.timeBase.toDouble();
    each.from = Math.min(each.from, Number(packet.pts) * unit);
    each.to = Math.max(each.to, Number(packet.pts + packet.duration) * unit);
    decode(each, packet, frame);
    packet.unref();
  }
  for (const each of streams) {
    decode(each, null, frame);
    each.decoder.freeContext();
  }
  const report = streams.map(
    ({ stream, codec, frames, pictures, from, to }): StreamReport => ({
      kind: stream.codecpar.codecType === AVMEDIA_TYPE_VIDEO ? 'video' : 'audio',
      codec,
      width: stream.codecpar.width,
      height: stream.codecpar.height,
      start: from,
      seconds: to - from,
      frames,
      pictures,
    }),
  );
  context.closeInputSync();
  // The log arrives in the next turn of the event loop.
  await nextTurn();
  if (complaints.length > 0) throw new Error(`The engine reports a problem with ${address}: ${complaints.join('; ')}`);
  return report;
}

function decode(each: StreamDecoder, data: Packet | null, frame: Frame): void {
  FFmpegError.throwIfError(each.decoder.sendPacketSync(data), 'decode');
  for (;;) {
    const result = each.decoder.receiveFrameSync(frame);
    if (result === AVERROR_EAGAIN || result === AVERROR_EOF) return;
    FFmpegError.throwIfError(result, 'decode');
    each.frames++;
    if (each.stream.codecpar.codecType === AVMEDIA_TYPE_VIDEO) {
      const time = Math.round(Number(frame.bestEffortTimestamp) * each.stream.timeBase.toDouble() * 1000);
      each.pictures.push({ time, digest: createHash('sha1').update(frame.toBuffer()).digest('base64') });
    }
    frame.unref();
  }
}
