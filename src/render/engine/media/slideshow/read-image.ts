import {
  AV_DISPOSITION_DEPENDENT,
  AV_FRAME_DATA_DISPLAYMATRIX,
  AV_PKT_DATA_DISPLAYMATRIX,
  AVERROR_EAGAIN,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import { Codec, CodecContext, Dictionary, FormatContext, Frame, InputFormat, Packet, type Stream } from 'node-av/lib';
import { withFile } from '../../binary/byte-source.ts';
import { isRightAngled, type Orientation, readOrientation, upright } from '../../formats/orientation.ts';
import { detectImageFormat, type ImageFormat, imageHeadBytes } from '../../slideshow/image-format.ts';

/** Maximum size of an image: bytes of its file, and pixels, which decoders check before they reserve memory. */
export const imageLimits = { bytes: 64 * 1024 ** 2, pixels: 64 * 1024 ** 2 } as const;

/** Maximum number of packets that are read until a frame is decoded. */
const maxPackets = 64;

/** A decoded image. */
export interface Image {
  readonly frame: Frame;
  /** How viewers rotate and mirror it. */
  readonly orientation: Orientation;
}

/** An image, or the reason why it cannot be read, as a clause. */
type ImageOutcome = Image | { readonly unreadableBecause: string };

/**
 * Decodes the first frame of an image. Its first bytes select the demuxer, which opens no other files. The caller frees
 * the frame.
 */
export async function readImage(path: string): Promise<ImageOutcome> {
  const { head, size } = withFile(path, (source) => ({
    head: source.read(0, Math.min(imageHeadBytes, source.size)),
    size: source.size,
  }));
  const format = detectImageFormat(head);
  if (format === undefined) return { unreadableBecause: 'it is not a JPEG, PNG, WebP, GIF or AVIF image' };
  if (!('demuxer' in format)) return { unreadableBecause: `${format.title} images cannot be read` };
  if (size > imageLimits.bytes) return { unreadableBecause: 'it is larger than 64 MB' };
  const context = new FormatContext();
  try {
    return await decodeFirstFrame(context, path, format);
  } finally {
    context.closeInputSync();
  }
}

async function decodeFirstFrame(
  context: FormatContext,
  path: string,
  { title, demuxer }: ImageFormat,
): Promise<ImageOutcome> {
  const damaged = { unreadableBecause: `this ${title} image is damaged, or has more than 64 megapixels` };
  const options = Dictionary.fromObject({ protocol_whitelist: 'file', format_whitelist: demuxer });
  if (context.openInputSync(`file:${path}`, InputFormat.findInputFormat(demuxer), options) < 0) return damaged;
  const stream = context.streams.find(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_VIDEO);
  if (stream === undefined) return damaged;
  if (context.streams.some((each) => each.hasDisposition(AV_DISPOSITION_DEPENDENT))) {
    return { unreadableBecause: `${title} images made of several tiles cannot be read` };
  }
  const frame = await decodeFrame(context, stream);
  if (frame === undefined) return damaged;
  const orientation = readOrientation(
    frame.getSideData(AV_FRAME_DATA_DISPLAYMATRIX) ?? stream.codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX),
  );
  return { frame, orientation: isRightAngled(orientation) ? orientation : upright };
}

async function decodeFrame(context: FormatContext, stream: Stream): Promise<Frame | undefined> {
  const codec = Codec.findDecoder(stream.codecpar.codecId);
  if (codec === null) return undefined;
  const decoder = new CodecContext();
  decoder.allocContext3(codec);
  const packet = new Packet();
  const frame = new Frame();
  packet.alloc();
  frame.alloc();
  try {
    if (decoder.parametersToContext(stream.codecpar) < 0) return undefined;
    const options = Dictionary.fromObject({ max_pixels: `${imageLimits.pixels}` });
    // The synchronous open corrupts the heap when it is given options (node-av 6.1.1); the asynchronous open never did.
    if ((await decoder.open2(codec, options)) < 0) return undefined;
    for (let count = 0; count < maxPackets && context.readFrameSync(packet) >= 0; count += 1) {
      if (packet.streamIndex === stream.index) decoder.sendPacketSync(packet);
      packet.unref();
      const result = decoder.receiveFrameSync(frame);
      if (result >= 0) return frame;
      if (result !== AVERROR_EAGAIN) break;
    }
    decoder.sendPacketSync(null);
    return decoder.receiveFrameSync(frame) >= 0 ? frame : undefined;
  } finally {
    decoder.freeContext();
  }
}
