import {
  AV_CODEC_CAP_VARIABLE_FRAME_SIZE,
  AV_CODEC_FLAG_FRAME_DURATION,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_PICTURE_TYPE_NONE,
} from 'node-av/constants';
import {
  avGetPixFmtName,
  avGetSampleFmtName,
  Codec,
  CodecContext,
  CodecParameters,
  Dictionary,
  FilterGraph,
  Frame,
  type IRational,
  Packet,
  Rational,
} from 'node-av/lib';
import { checkResult } from '../../media/check-result.ts';
import { addFilter, type FilterSpec } from '../../media/output/filter-chain.ts';
import { secondsToTicks, ticksToSeconds } from '../../media/timestamps.ts';
import type { Clip } from './clips.ts';

/** The packets of one encoded stream. */
export interface EncodedClip {
  readonly parameters: CodecParameters;
  readonly base: IRational;
  /** Frame rate of a video; 0/1 for audio. */
  readonly frameRate: IRational;
  /** In decoding order; timestamps are in `base`. */
  readonly packets: readonly Packet[];
}

/**
 * Encodes a clip. Size, rate and format of the stream are those of the frames that its filters generate.
 *
 * @throws Error if this build lacks the encoder, or the encoder refuses the frames.
 */
export async function encodeClip(clip: Clip, globalHeader: boolean): Promise<EncodedClip> {
  const codec = Codec.findEncoderByName(clip.encoder as Parameters<typeof Codec.findEncoderByName>[0]);
  if (codec === null) throw new Error(`this build has no encoder ${clip.encoder}`);
  const steps = [...clip.frames, ...formatStep(clip, codec)];
  const context = new CodecContext();
  context.allocContext3(codec);
  describeFrames(context, clip, steps);
  context.threadCount = 1;
  context.setFlags(AV_CODEC_FLAG_FRAME_DURATION);
  if (globalHeader) context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  // The synchronous open corrupts the heap when it is given options (node-av 6.1.1).
  const options = Dictionary.fromObject({ strict: '-2', ...clip.options });
  checkResult(await context.open2(codec, options), `${clip.encoder} cannot be opened`);
  const packets: Packet[] = [];
  const packet = new Packet();
  packet.alloc();
  const encode = (frame: Frame | null) => {
    checkResult(context.sendFrameSync(frame), `${clip.encoder} refuses a frame`);
    for (; context.receivePacketSync(packet) >= 0; packet.unref()) {
      const copy = packet.clone();
      if (copy !== null) packets.push(copy);
    }
  };
  const hasFixedFrameSize = context.frameSize > 0 && !codec.hasCapabilities(AV_CODEC_CAP_VARIABLE_FRAME_SIZE);
  const frameSizeFilters: FilterSpec[] = hasFixedFrameSize ? [['asetnsamples', `n=${context.frameSize}:p=0`]] : [];
  eachFrame(clip, [...steps, ...frameSizeFilters], clip.clock === undefined ? encode : onClock(clip.clock, encode));
  encode(null);
  const parameters = new CodecParameters();
  parameters.alloc();
  checkResult(parameters.fromContext(context), `${clip.encoder} does not describe its stream`);
  const { timeBase, framerate } = context;
  return {
    parameters,
    base: { num: timeBase.num, den: timeBase.den },
    frameRate: { num: framerate.num, den: framerate.den },
    packets,
  };
}

/** Moves frames to the times of a clock. Frames without a time, or with one that does not increase, are left out. */
function onClock(clock: NonNullable<Clip['clock']>, encode: (frame: Frame) => void) {
  let last: bigint | undefined;
  return (frame: Frame, base: IRational) => {
    const time = clock(ticksToSeconds(frame.pts, base) ?? 0);
    if (time === undefined) return;
    const pts = secondsToTicks(time, base);
    if (last !== undefined && pts <= last) return;
    frame.pts = last = pts;
    encode(frame);
  };
}

/**
 * Returns filters that convert frames to a supported rate, and to the format of the clip or, if it has none, the first
 * format of the encoder.
 */
function formatStep({ kind, format }: Clip, codec: Codec): FilterSpec[] {
  if (kind === 'audio') {
    const first = codec.sampleFormats?.[0];
    const name = format ?? (first === undefined ? undefined : avGetSampleFmtName(first));
    const rates = codec.supportedSamplerates ?? [];
    const formats = [
      ...(name === undefined || name === null ? [] : [`sample_fmts=${name}`]),
      ...(rates.length === 0 ? [] : [`sample_rates=${rates.join('|')}`]),
    ];
    return formats.length === 0 ? [] : [['aformat', formats.join(':')]];
  }
  const first = codec.pixelFormats?.[0];
  const name = format ?? (first === undefined ? 'yuv420p' : avGetPixFmtName(first));
  return [['format', `pix_fmts=${name}`]];
}

/** Configures the encoder with the properties of the clip's first frame. */
function describeFrames(context: CodecContext, clip: Clip, steps: readonly FilterSpec[]): void {
  eachFrame(clip, steps, (frame, base) => {
    if (clip.kind === 'video') {
      context.width = frame.width;
      context.height = frame.height;
      context.pixelFormat = frame.format as typeof context.pixelFormat;
      context.sampleAspectRatio = frame.sampleAspectRatio;
      context.colorRange = frame.colorRange;
      context.colorPrimaries = frame.colorPrimaries;
      context.colorTrc = frame.colorTrc;
      context.colorSpace = frame.colorSpace;
      const [num, den] = clip.rate;
      context.framerate = new Rational(num, den);
      context.timeBase = new Rational(base.num, base.den);
    } else {
      context.sampleRate = frame.sampleRate;
      context.sampleFormat = frame.format as typeof context.sampleFormat;
      context.channelLayout = frame.channelLayout;
      context.timeBase = new Rational(1, frame.sampleRate);
    }
    return 'enough';
  });
}

/** Passes on the frames that filters generate, until `take` has enough. A frame is only valid during the call. */
function eachFrame(
  { kind }: Clip,
  steps: readonly FilterSpec[],
  // biome-ignore lint/suspicious/noConfusingVoidType: most callers want all frames.
  take: (frame: Frame, base: IRational) => 'enough' | void,
): void {
  const graph = new FilterGraph();
  graph.alloc();
  const sinkStep: FilterSpec = [kind === 'video' ? 'buffersink' : 'abuffersink', ''];
  const filters = [...steps, sinkStep].map(([name, args], at) => addFilter(graph, name, `${name}${at}`, args));
  filters.slice(1).forEach((filter, at) => {
    checkResult(filters[at]?.link(0, filter, 0) ?? -1, 'filters of a clip cannot be connected');
  });
  checkResult(graph.configSync(), 'filters of a clip cannot be set up');
  const sink = filters.at(-1);
  const frame = new Frame();
  frame.alloc();
  for (let more = true; more && sink !== undefined && sink.buffersinkGetFrameSync(frame) >= 0; frame.unref()) {
    frame.pictType = AV_PICTURE_TYPE_NONE;
    more = take(frame, sink.buffersinkGetTimeBase()) !== 'enough';
  }
  graph.free();
}
