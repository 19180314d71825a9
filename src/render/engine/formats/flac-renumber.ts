import { overwrite } from '../binary/overwrite.ts';

/** The coded number of a FLAC frame: the index of the frame, or of its first sample. */
interface CodedNumber {
  readonly value: number;
  /** Offset after it in the frame. */
  readonly end: number;
}

/** Offset of the coded number in a frame. */
const numberAt = 4;
/** Offset of the number of samples in a file: after `fLaC` and the head of the first block (RFC 9639 §8.2). */
const samplesAt = 21;
/** Largest number of samples that a file can declare. */
const maxSamples = 2 ** 36 - 1;

/** Returns the number of a FLAC frame; undefined if the bytes are not a frame. */
export function flacFrameNumber(frame: Buffer): number | undefined {
  return readNumber(frame)?.value;
}

/**
 * Returns a FLAC frame with a number reduced by `by`, and with new checksums (RFC 9639 §9.1.5, §9.1.8, §9.3). Decoders
 * take the position of a frame from its number. Returns undefined if the bytes are not a frame.
 */
export function renumberFlacFrame(frame: Buffer, by: number): Buffer | undefined {
  const number = readNumber(frame);
  if (number === undefined || number.value < by) return undefined;
  const crcAt = number.end + extraHeaderBytes(frame);
  if (frame.length < crcAt + 3) return undefined;
  const head = Buffer.concat([
    frame.subarray(0, numberAt),
    codeNumber(number.value - by),
    frame.subarray(number.end, crcAt),
  ]);
  const body = Buffer.concat([head, Buffer.of(crc(head, 8)), frame.subarray(crcAt + 1, -2)]);
  const checksum = crc(body, 16);
  return Buffer.concat([body, Buffer.of(checksum >> 8, checksum & 0xff)]);
}

/** Declares the number of samples of a finished FLAC file, and that the checksum of its audio is unknown. */
export function declareFlacSamples(path: string, samples: number): void {
  const count = samples > maxSamples ? 0 : samples;
  // The first four bits share a byte with the number of bits per sample, which stays.
  const low = Buffer.alloc(4);
  low.writeUInt32BE(count % 2 ** 32);
  overwrite(path, samplesAt + 1, Buffer.concat([low, Buffer.alloc(16)]));
}

function readNumber(frame: Buffer): CodedNumber | undefined {
  if (frame.length <= numberAt || (frame.readUInt16BE(0) & 0xfffe) !== 0xfff8) return undefined;
  const first = frame[numberAt] ?? 0;
  const length = Math.clz32(~(first << 24));
  if (length === 0) return { value: first, end: numberAt + 1 };
  const end = numberAt + length;
  if (length === 1 || length > 7 || end > frame.length) return undefined;
  let value = first & (0x7f >> length);
  for (const byte of frame.subarray(numberAt + 1, end)) {
    if (byte >> 6 !== 2) return undefined;
    value = value * 64 + (byte & 0x3f);
  }
  return { value, end };
}

/** Encodes a number like a UTF-8 character of up to seven bytes. */
function codeNumber(value: number): Buffer {
  if (value < 0x80) return Buffer.of(value);
  const bytes: number[] = [];
  let rest = value;
  // The first of `n` bytes has room for 7 - n bits.
  while (rest >= 2 ** (6 - bytes.length)) {
    bytes.unshift(0x80 | (rest % 64));
    rest = Math.floor(rest / 64);
  }
  return Buffer.from([((0xff00 >> (bytes.length + 1)) & 0xff) | rest, ...bytes]);
}

/** Returns the number of bytes between the coded number and the checksum of the header. */
function extraHeaderBytes(frame: Buffer): number {
  const [sizeCode, rateCode] = [(frame[2] ?? 0) >> 4, (frame[2] ?? 0) & 15];
  const sizeBytes = sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0;
  return sizeBytes + (rateCode === 12 ? 1 : rateCode === 13 || rateCode === 14 ? 2 : 0);
}

/** Returns a checksum of 8 or 16 bits. */
function crc(bytes: Buffer, bits: 8 | 16): number {
  const table = bits === 8 ? crc8Table : crc16Table;
  const shift = bits - 8;
  const mask = 2 ** bits - 1;
  let sum = 0;
  for (const byte of bytes) sum = ((sum << 8) ^ (table[(sum >> shift) ^ byte] ?? 0)) & mask;
  return sum;
}

function crcTable(bits: 8 | 16, polynomial: number): readonly number[] {
  const top = 2 ** (bits - 1);
  return Array.from({ length: 256 }, (_, byte) => {
    let sum = byte << (bits - 8);
    for (let bit = 0; bit < 8; bit += 1) sum = (sum & top) === 0 ? sum << 1 : (sum << 1) ^ polynomial;
    return sum & (2 ** bits - 1);
  });
}

const crc8Table = crcTable(8, 0x07);
const crc16Table = crcTable(16, 0x8005);
