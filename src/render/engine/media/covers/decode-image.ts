import {
  AV_CODEC_ID_MJPEG,
  AV_CODEC_ID_PNG,
  AV_CODEC_ID_WEBP,
  AV_PIX_FMT_RGBA,
  AV_PIX_FMT_YUV420P,
  AVCOL_RANGE_JPEG,
} from 'node-av/constants';
import { avGetPixFmtName, Codec, CodecContext, Dictionary, Frame, Packet, Rational } from 'node-av/lib';
import { MillraceError } from '../../../../contract/errors.ts';
import type { Cover } from '../../tags/cover.ts';
import type { ImageHeader } from '../../tags/image-header.ts';
import { FilterChain } from '../output/filter-chain.ts';

const decoderIds = { jpeg: AV_CODEC_ID_MJPEG, png: AV_CODEC_ID_PNG, webp: AV_CODEC_ID_WEBP } as const;

/** Time base of a single image. */
const timeBase = { num: 1, den: 1 } as const;

/**
 * Decodes an image with the decoder of its format only. The caller frees the frame.
 *
 * @param maxPixels - number of pixels above which the decoder gives up.
 * @returns Undefined if the image cannot be decoded completely.
 */
export async function decodeImage(
  bytes: Buffer,
  format: ImageHeader['format'],
  maxPixels: number,
): Promise<Frame | undefined> {
  const codec = Codec.findDecoder(decoderIds[format]);
  if (codec === null) return undefined;
  const context = new CodecContext();
  context.allocContext3(codec);
  context.threadCount = 1;
  // Without `explode`, the decoder would fill missing parts of a truncated image with grey.
  const options = Dictionary.fromObject({ max_pixels: `${maxPixels}`, err_detect: 'explode' });
  if ((await context.open2(codec, options)) < 0) return undefined;
  const packet = new Packet();
  packet.alloc();
  packet.data = bytes;
  const frame = new Frame();
  frame.alloc();
  const sent = context.sendPacketSync(packet) >= 0 && context.sendPacketSync(null) >= 0;
  const received = sent && context.receiveFrameSync(frame) >= 0;
  packet.free();
  context.freeContext();
  if (received) return frame;
  frame.free();
  return undefined;
}

/**
 * Encodes an image as JPEG, or as PNG if it has transparency.
 *
 * @returns Undefined if it cannot be encoded.
 */
export async function convertImage(image: Frame): Promise<Pick<Cover, 'bytes' | 'type'> | undefined> {
  const isTransparent = hasAlpha(image);
  const frame = toPixelFormat(image, isTransparent ? 'rgba' : 'yuv420p');
  const bytes = frame === undefined ? undefined : await encodeImage(frame, isTransparent);
  frame?.free();
  return bytes === undefined ? undefined : { bytes, type: isTransparent ? 'image/png' : 'image/jpeg' };
}

function hasAlpha({ format }: Frame): boolean {
  return /^(?:yuva|argb|abgr|rgba|bgra|gbrap|ya)/.test(
    avGetPixFmtName(format as Parameters<typeof avGetPixFmtName>[0]) ?? '',
  );
}

/** Converts an image to a pixel format with full range; undefined if that fails. */
function toPixelFormat(image: Frame, name: string): Frame | undefined {
  let converted: Frame | undefined;
  image.pts = 0n;
  const chain = new FilterChain('video', () => [
    ['scale', 'out_range=pc'],
    ['format', `pix_fmts=${name}`],
  ]);
  const take = (frame: Frame) => {
    converted ??= frame.clone() ?? undefined;
  };
  try {
    chain.push(image, timeBase, take);
    chain.end(take);
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error;
  }
  return converted;
}

async function encodeImage(frame: Frame, isTransparent: boolean): Promise<Buffer | undefined> {
  const codec = Codec.findEncoder(isTransparent ? AV_CODEC_ID_PNG : AV_CODEC_ID_MJPEG);
  if (codec === null) return undefined;
  const context = new CodecContext();
  context.allocContext3(codec);
  context.width = frame.width;
  context.height = frame.height;
  context.pixelFormat = isTransparent ? AV_PIX_FMT_RGBA : AV_PIX_FMT_YUV420P;
  context.colorRange = AVCOL_RANGE_JPEG;
  context.timeBase = new Rational(1, 25);
  context.threadCount = 1;
  // Quantizers of a good JPEG quality. PNG has none.
  const options: Record<string, string> = isTransparent ? {} : { qmin: '2', qmax: '3' };
  if ((await context.open2(codec, Dictionary.fromObject(options))) < 0) return undefined;
  const packet = new Packet();
  packet.alloc();
  const sent = context.sendFrameSync(frame) >= 0 && context.sendFrameSync(null) >= 0;
  const data = sent && context.receivePacketSync(packet) >= 0 ? packet.data : null;
  const bytes = data === null ? undefined : Buffer.from(data);
  packet.free();
  context.freeContext();
  return bytes;
}
