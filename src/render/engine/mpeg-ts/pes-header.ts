import { decline } from '../binary/fast-path-declined.ts';

/** What the header of a PES packet says. Times are in ticks of 90 kHz, which start over after 33 bits. */
interface PacketHeader {
  readonly pts: number;
  readonly dts: number;
  /** Where the payload begins. */
  readonly payload: number;
}

const streamIds = { video: { value: 0xe0, mask: 0xf0 }, audio: { value: 0xc0, mask: 0xe0 } } as const;

/**
 * Reads the header of a PES packet (ISO/IEC 13818-1 §2.4.3.6).
 *
 * @param bytes - has the packet at its beginning.
 * @param length - bytes of the packet.
 * @throws FastPathDeclined for a packet without a presentation time, with fewer or more bytes than it declares, or encrypted.
 */
export function readPacketHeader(bytes: Buffer, length: number, kind: keyof typeof streamIds): PacketHeader {
  if (length < 9 || bytes.readUIntBE(0, 3) !== 1) decline('one of its packets is malformed');
  const { value, mask } = streamIds[kind];
  if ((bytes.readUInt8(3) & mask) !== value) decline('one of its packets belongs to another kind of stream');
  const declared = bytes.readUInt16BE(4);
  if (declared !== 0 && declared + 6 !== length) decline('one of its packets does not have its declared length');
  if ((bytes.readUInt8(6) & 0xf0) !== 0x80) decline('one of its packets is encrypted or malformed');
  const times = bytes.readUInt8(7) >> 6;
  const payload = 9 + bytes.readUInt8(8);
  if (payload > length || payload < (times === 3 ? 19 : 14)) decline('one of its packets is malformed');
  if (times < 2) decline('one of its packets has no presentation time');
  const pts = readTime(bytes, 9, times);
  return { pts, dts: times === 3 ? readTime(bytes, 14, 1) : pts, payload };
}

/** Reads a time of 33 bits, between markers and after a prefix of four bits. */
function readTime(bytes: Buffer, at: number, prefix: number): number {
  const [high, middle, low] = [bytes.readUInt8(at), bytes.readUInt16BE(at + 1), bytes.readUInt16BE(at + 3)];
  if (high >> 4 !== prefix || (high & middle & low & 1) === 0) decline('one of its packets has a malformed time');
  return ((high >> 1) & 7) * 2 ** 30 + (middle >> 1) * 2 ** 15 + (low >> 1);
}

const wrap = 2 ** 33;

/** The time nearest to `reference` that a clock of 33 bits shows as `time`. */
export function unwrapped(time: number, reference: number): number {
  return time + wrap * Math.round((reference - time) / wrap);
}
