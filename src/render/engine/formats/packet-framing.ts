import { MillraceError } from '../../../contract/errors.ts';
import { parseAdtsFrame } from './adts-frame.ts';
import { isAnnexB, lengthSizeOf, type NalCodec } from './nal-units.ts';
import { readObus } from './obus.ts';

/** Returns what is wrong with the bytes of a packet, as a clause; undefined if nothing is. */
export type PacketCheck = (bytes: Buffer) => string | undefined;

/** Codecs of which no packet consists of zeros only. Those of PCM do: they are silence. */
const neverZero: ReadonlySet<string> = new Set([
  ...['h264', 'hevc', 'av1', 'vp8', 'vp9', 'mpeg2video', 'mpeg4', 'theora'],
  ...['aac', 'mp3', 'ac3', 'eac3', 'flac', 'opus', 'vorbis', 'alac'],
]);
/** Shorter packets may consist of zeros: an Opus packet without sound can be a single zero (RFC 6716 §3.1). */
const MIN_ZERO_BYTES = 8;
/** Zeros before the first start code of a frame (ITU-T H.264 and H.265, annex B). */
const MAX_LEADING_ZEROS = 16;

/**
 * Creates the check of a stream's packets: bytes that were lost on the way become zeros or break the frames of the
 * codec. A decoder would notice, but copied packets are not decoded.
 *
 * @param codec - FFmpeg's name of the codec.
 * @param extradata - header of the stream; empty for a stream without one.
 */
export function createPacketCheck(codec: string, extradata: Buffer): PacketCheck | undefined {
  if (!neverZero.has(codec)) return undefined;
  const checkFrames = frameCheckOf(codec, extradata);
  return (bytes) => {
    if (bytes.length >= MIN_ZERO_BYTES && isZero(bytes)) return `a packet consists of ${bytes.length} zeros`;
    return bytes.length === 0 ? undefined : checkFrames?.(bytes);
  };
}

/**
 * Returns the error for a copied packet that cannot be one of its codec.
 *
 * @param label - name of the stream: `The h264 video of input 1`.
 * @param seconds - when the packet plays in the result.
 * @param fault - what a {@link PacketCheck} returned.
 * @param input - index of the job's input.
 */
export function damagedPacketError(label: string, seconds: number, fault: string, input: number): MillraceError {
  return new MillraceError(
    'input_unreadable',
    `${label} is damaged at ${seconds.toFixed(1)} s of the result: ${fault}. ` +
      'Use another source, or set copyStreams to false to encode what can be decoded.',
    { input },
  );
}

function frameCheckOf(codec: string, extradata: Buffer): PacketCheck | undefined {
  switch (codec) {
    case 'h264':
    case 'hevc':
      return nalCheck(codec, extradata);
    case 'av1':
      return checkObus;
    case 'aac':
      return extradata.length === 0 ? checkAdts : undefined;
    default:
      return undefined;
  }
}

function isZero(bytes: Buffer): boolean {
  // Comparing with itself, moved by one byte, is many times as fast as a loop.
  return bytes[0] === 0 && bytes.subarray(1).equals(bytes.subarray(0, -1));
}

/** Returns the check of NAL units: with their lengths, or after start codes. */
function nalCheck(codec: NalCodec, extradata: Buffer): PacketCheck {
  if (isAnnexB(extradata)) return checkStartCode;
  const lengthBytes = lengthSizeOf(codec, extradata);
  return (bytes) => {
    let at = 0;
    while (at + lengthBytes <= bytes.length) {
      const length = bytes.readUIntBE(at, lengthBytes);
      if (length === 0) return 'a packet has an empty unit';
      at += lengthBytes + length;
    }
    return at === bytes.length ? undefined : 'the units of a packet do not fit into it';
  };
}

function checkStartCode(bytes: Buffer): string | undefined {
  const first = bytes.findIndex((byte) => byte !== 0);
  const hasCode = bytes[first] === 1 && first >= 2 && first <= MAX_LEADING_ZEROS;
  return hasCode ? undefined : 'a packet begins without a start code';
}

/** Checks the sizes of a temporal unit's OBUs. */
function checkObus(bytes: Buffer): string | undefined {
  const units = readObus(bytes);
  let step = units.next();
  while (step.done !== true) step = units.next();
  return step.value;
}

/** Checks that a packet is one ADTS frame. */
function checkAdts(bytes: Buffer): string | undefined {
  const frame = parseAdtsFrame(bytes);
  if (frame === undefined) return 'a packet begins without a sync word';
  return frame.bytes === bytes.length ? undefined : `a packet has ${bytes.length} bytes instead of ${frame.bytes}`;
}
