import { decline } from '../binary/fast-path-declined.ts';

/** Content of a PES packet header. Times are in ticks of 90 kHz, which wrap around after 33 bits. */
interface PesHeader {
  readonly pts: number;
  readonly dts: number;
  /** Offset of the payload. */
  readonly payloadOffset: number;
}

const streamIds = { video: { value: 0xe0, mask: 0xf0 }, audio: { value: 0xc0, mask: 0xe0 } } as const;

/**
 * Reads the header of a PES packet (ISO/IEC 13818-1 §2.4.3.6).
 *
 * @param bytes - begins with the packet.
 * @param length - size of the packet in bytes.
 * @throws FastPathDeclined for a packet that is encrypted, has no presentation time, or has fewer or more bytes than it
 * declares.
 */
export function readPesHeader(bytes: Buffer, length: number, kind: keyof typeof streamIds): PesHeader {
  if (length < 9 || bytes.readUIntBE(0, 3) !== 1) decline('one of its packets is malformed');
  const { value, mask } = streamIds[kind];
  if ((bytes.readUInt8(3) & mask) !== value) decline('one of its packets belongs to another kind of stream');
  const declaredLength = bytes.readUInt16BE(4);
  if (declaredLength !== 0 && declaredLength + 6 !== length)
    decline('one of its packets does not have its declared length');
  if ((bytes.readUInt8(6) & 0xf0) !== 0x80) decline('one of its packets is encrypted or malformed');
  const timestampFlags = bytes.readUInt8(7) >> 6;
  const payloadOffset = 9 + bytes.readUInt8(8);
  if (payloadOffset > length || payloadOffset < (timestampFlags === 3 ? 19 : 14))
    decline('one of its packets is malformed');
  if (timestampFlags < 2) decline('one of its packets has no presentation time');
  const pts = readTimestamp(bytes, 9, timestampFlags);
  return { pts, dts: timestampFlags === 3 ? readTimestamp(bytes, 14, 1) : pts, payloadOffset };
}

/** Reads a 33-bit timestamp, which has marker bits and a prefix of four bits. */
function readTimestamp(bytes: Buffer, at: number, prefix: number): number {
  const [high, middle, low] = [bytes.readUInt8(at), bytes.readUInt16BE(at + 1), bytes.readUInt16BE(at + 3)];
  if (high >> 4 !== prefix || (high & middle & low & 1) === 0) decline('one of its packets has a malformed timestamp');
  return ((high >> 1) & 7) * 2 ** 30 + (middle >> 1) * 2 ** 15 + (low >> 1);
}

const wrapTicks = 2 ** 33;

/** Returns the time nearest to `reference` that equals `time` on a 33-bit clock. */
export function unwrapTimestamp(time: number, reference: number): number {
  return time + wrapTicks * Math.round((reference - time) / wrapTicks);
}
