import { writeFileSync } from 'node:fs';
import {
  AV_CHANNEL_LAYOUT_STEREO,
  AV_CODEC_FLAG_BITEXACT,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_CODEC_FLAG_QSCALE,
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUVJ420P,
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_FLTP,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBMP3LAME,
  FF_ENCODER_LIBOPUS,
  FF_ENCODER_LIBVPX_VP9,
  FF_ENCODER_LIBX264,
  FF_ENCODER_MJPEG,
  FF_QP2LAMBDA,
  type FFEncoderCodec,
} from 'node-av/constants';
import { Codec, CodecContext, Dictionary, FFmpegError, Frame, Packet, Rational } from 'node-av/lib';
import { drawScene } from '../scenes/scene.ts';
import { openMuxer } from './mux.ts';
import { createPainter } from './pattern.ts';
import {
  type AudioCodec,
  audioFrames,
  type EncodeAudioTask,
  type EncodeVideoTask,
  keySeconds,
  type Picture,
  partSeconds,
  type SceneTask,
  type StillTask,
  sampleRate,
} from './task.ts';

/** Packets that an encoder may need before its audio is steady. They are omitted, so that a part can be repeated. */
const warmUp = 4;

/** Quantizer of the JPEG of scenes: 2 is the best, 31 the smallest. */
const sceneQuality = 4;

type Size = Pick<Picture, 'width' | 'height'>;

/** Writes an encoded part of a picture as Matroska. */
export async function encodeVideo({ picture, codec, bitRate, output }: EncodeVideoTask): Promise<void> {
  const encoder = await openVideoEncoder(picture, codec, bitRate);
  const muxer = openMuxer('matroska', output, {}, [{ parameters: encoder, unit: new Rational(1, picture.rate) }]);
  const painter = createPainter(picture, bitRate !== undefined);
  for (let index = 0; index < partSeconds * picture.rate; index++) {
    const frame = videoFrame(painter.paint(index), picture);
    frame.pts = BigInt(index);
    encode(encoder, frame, (packet) => muxer.write(0, packet));
  }
  encode(encoder, null, (packet) => muxer.write(0, packet));
  muxer.finish();
  encoder.freeContext();
}

function openVideoEncoder(picture: Picture, codec: EncodeVideoTask['codec'], bitRate?: number): Promise<CodecContext> {
  const bFrames = codec === 'h264-reordered' ? 3 : 0;
  const options =
    codec === 'vp9'
      ? { deadline: 'realtime', 'cpu-used': '8', 'lag-in-frames': '0', 'auto-alt-ref': '0', 'row-mt': '1', crf: '40' }
      : {
          preset: 'ultrafast',
          'x264-params': `scenecut=0:bframes=${bFrames}:cabac=1:8x8dct=1${bFrames > 0 ? ':b-pyramid=normal:ref=2' : ''}`,
          ...(bitRate === undefined ? { crf: '30' } : {}),
        };
  return openEncoder(codec === 'vp9' ? FF_ENCODER_LIBVPX_VP9 : FF_ENCODER_LIBX264, options, (context) => {
    context.width = picture.width;
    context.height = picture.height;
    context.pixelFormat = AV_PIX_FMT_YUV420P;
    context.timeBase = new Rational(1, picture.rate);
    context.framerate = new Rational(picture.rate, 1);
    context.gopSize = keySeconds * picture.rate;
    context.maxBFrames = bFrames;
    context.bitRate = BigInt(bitRate ?? 0);
  });
}

/** Writes an encoded part of a tone as Matroska. */
export async function encodeAudio({ codec, tone, output }: EncodeAudioTask): Promise<void> {
  const encoder = await openAudioEncoder(codec);
  const muxer = openMuxer('matroska', output, {}, [{ parameters: encoder, unit: new Rational(1, sampleRate) }]);
  const samples = audioFrames[codec];
  const wantedFrames = Math.round((partSeconds * sampleRate) / samples);
  let frameCount = 0;
  const keep = (packet: Packet) => {
    frameCount++;
    if (frameCount <= warmUp || frameCount > warmUp + wantedFrames) return;
    packet.pts = BigInt((frameCount - warmUp - 1) * samples);
    packet.dts = packet.pts;
    muxer.write(0, packet);
  };
  for (let index = 0; index < wantedFrames + 2 * warmUp; index++) {
    const frame = audioFrame(codec, tone, index * samples);
    frame.pts = BigInt(index * samples);
    encode(encoder, frame, keep);
  }
  encode(encoder, null, keep);
  muxer.finish();
  encoder.freeContext();
}

function openAudioEncoder(codec: AudioCodec): Promise<CodecContext> {
  const name = { aac: FF_ENCODER_AAC, opus: FF_ENCODER_LIBOPUS, mp3: FF_ENCODER_LIBMP3LAME }[codec];
  // Without the reservoir, every MP3 frame is independent, so that frames can be repeated in any order.
  const options: Record<string, string> = codec === 'mp3' ? { reservoir: '0' } : {};
  return openEncoder(name, options, (context) => {
    context.sampleRate = sampleRate;
    context.channelLayout = AV_CHANNEL_LAYOUT_STEREO;
    context.sampleFormat = isInterleaved(codec) ? AV_SAMPLE_FMT_FLT : AV_SAMPLE_FMT_FLTP;
    context.timeBase = new Rational(1, sampleRate);
    context.bitRate = 128_000n;
  });
}

/** Writes the first frame of a picture as JPEG. */
export async function makeStill({ picture, output }: StillTask): Promise<void> {
  await writeJpeg(createPainter(picture, false).paint(0), picture, output);
}

/** Draws a scene and writes it as JPEG. */
export async function makeScene({ scene, output }: SceneTask): Promise<void> {
  await writeJpeg(drawScene(scene), scene, output, (context) => {
    context.setFlags(AV_CODEC_FLAG_QSCALE);
    context.globalQuality = sceneQuality * FF_QP2LAMBDA;
  });
}

async function writeJpeg(
  pixels: Buffer,
  size: Size,
  output: string,
  configure?: (context: CodecContext) => void,
): Promise<void> {
  const encoder = await openEncoder(FF_ENCODER_MJPEG, {}, (context) => {
    context.width = size.width;
    context.height = size.height;
    context.pixelFormat = AV_PIX_FMT_YUVJ420P;
    context.timeBase = new Rational(1, 25);
    configure?.(context);
  });
  const frame = videoFrame(pixels, size);
  frame.format = AV_PIX_FMT_YUVJ420P;
  frame.pts = 0n;
  frame.quality = encoder.globalQuality;
  const keep = (packet: Packet) => writeFileSync(output, packet.data ?? Buffer.alloc(0));
  encode(encoder, frame, keep);
  encode(encoder, null, keep);
  encoder.freeContext();
}

async function openEncoder(
  name: FFEncoderCodec,
  options: Record<string, string>,
  configure: (context: CodecContext) => void,
): Promise<CodecContext> {
  const codec = Codec.findEncoderByName(name);
  if (codec === null) throw new Error(`The media engine has no encoder called ${name}.`);
  const context = new CodecContext();
  context.allocContext3(codec);
  configure(context);
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER, AV_CODEC_FLAG_BITEXACT);
  // open2Sync with a dictionary corrupts the heap in node-av 6.1.1; the asynchronous call does not.
  FFmpegError.throwIfError(await context.open2(codec, Dictionary.fromObject(options)), `open ${name}`);
  return context;
}

/** Sends one frame (null ends the stream), frees it, and passes every resulting packet to `take`. */
function encode(encoder: CodecContext, frame: Frame | null, take: (packet: Packet) => void): void {
  FFmpegError.throwIfError(encoder.sendFrameSync(frame), 'encode');
  frame?.free();
  const packet = new Packet();
  packet.alloc();
  for (;;) {
    const result = encoder.receivePacketSync(packet);
    if (result === AVERROR_EAGAIN || result === AVERROR_EOF) break;
    FFmpegError.throwIfError(result, 'encode');
    take(packet);
    packet.unref();
  }
  packet.free();
}

function videoFrame(pixels: Buffer, { width, height }: Size): Frame {
  return Frame.fromVideoBuffer(pixels, { width, height, format: AV_PIX_FMT_YUV420P });
}

/**
 * Returns whether the encoder expects interleaved samples. libopus does; the others expect one channel after the other.
 */
function isInterleaved(codec: AudioCodec): boolean {
  return codec === 'opus';
}

/**
 * Returns a frame of a tone whose pitch rises by half during the part and falls back at its end. The right channel is
 * an octave above the left.
 */
function audioFrame(codec: AudioCodec, tone: number, first: number): Frame {
  const count = audioFrames[codec];
  const samples = new Float32Array(2 * count);
  for (let index = 0; index < count; index++) {
    const time = ((first + index) / sampleRate) % partSeconds;
    const phase = 2 * Math.PI * tone * (time + (time * time) / (4 * partSeconds));
    const [left, right] = isInterleaved(codec) ? [2 * index, 2 * index + 1] : [index, count + index];
    samples[left] = 0.2 * Math.sin(phase);
    samples[right] = 0.2 * Math.sin(2 * phase);
  }
  return Frame.fromAudioBuffer(Buffer.from(samples.buffer), {
    nbSamples: count,
    format: isInterleaved(codec) ? AV_SAMPLE_FMT_FLT : AV_SAMPLE_FMT_FLTP,
    sampleRate,
    channelLayout: AV_CHANNEL_LAYOUT_STEREO,
  });
}
