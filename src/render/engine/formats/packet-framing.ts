import { MillraceError } from '../../../contract/errors.ts';
import { isAnnexB } from './parameter-sets.ts';

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
 * @param extradata - the header of the stream; empty if there is none.
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
      return nalCheck(extradata, 4);
    case 'hevc':
      return nalCheck(extradata, 21);
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

/**
 * Returns the check of NAL units: with their lengths, whose size the header states (ISO/IEC 14496-15, §5.3.3 and §8.3.3),
 * or after start codes.
 *
 * @param lengthAt - position of the byte of the header that states the size of lengths.
 */
function nalCheck(extradata: Buffer, lengthAt: number): PacketCheck | undefined {
  if (isAnnexB(extradata)) return checkStartCode;
  const lengthBytes = ((extradata[lengthAt] ?? 3) & 3) + 1;
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

/** Checks the sizes of a temporal unit's OBUs (AV1 Bitstream & Decoding Process Specification, §5.3). */
function checkObus(bytes: Buffer): string | undefined {
  let at = 0;
  while (at < bytes.length) {
    const header = bytes[at] ?? 0;
    if ((header & 0x80) !== 0) return 'a unit of a packet has an invalid header';
    at += (header & 4) === 0 ? 1 : 2;
    // Only the last unit may have no size.
    if ((header & 2) === 0) return at <= bytes.length ? undefined : 'the units of a packet do not fit into it';
    const size = readLeb128(bytes, at);
    if (size === undefined) return 'a unit of a packet has an invalid size';
    at = size.end + size.value;
  }
  return at === bytes.length ? undefined : 'the units of a packet do not fit into it';
}

/** Reads a number of at most eight bytes of seven bits each (AV1 specification, §4.10.5). */
function readLeb128(bytes: Buffer, start: number): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let index = 0; index < 8; index += 1) {
    const byte = bytes[start + index];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, end: start + index + 1 };
  }
  return undefined;
}

/** Checks that a packet is one ADTS frame (ISO/IEC 14496-3, §1.A.3.2). */
function checkAdts(bytes: Buffer): string | undefined {
  if (bytes.length < 7 || (bytes.readUInt16BE(0) & 0xfff6) !== 0xfff0) return 'a packet begins without a sync word';
  const length = (bytes.readUIntBE(3, 3) >> 5) & 0x1fff;
  return length === bytes.length ? undefined : `a packet has ${bytes.length} bytes instead of ${length}`;
}
