import { readTimestamp } from './transport-clock.ts';

/** Size of an MPEG-TS packet in bytes, and the IDs that FFmpeg gives to the program map and to the first streams. */
const packetBytes = 188;
const ids = { map: 0x1000, first: 0x100, last: 0x10f } as const;
/** What is added to the IDs of streams. */
const move = 0x20;

/** Gives the streams of an MPEG-TS file other packet IDs, in their packets and in the program map. */
export function moveStreams(bytes: Buffer): Buffer {
  const moved = Buffer.from(bytes);
  for (let at = 0; at + packetBytes <= moved.length; at += packetBytes) {
    const id = moved.readUInt16BE(at + 1);
    if (isStream(id & 0x1fff)) moved.writeUInt16BE(id + move, at + 1);
    if ((id & 0x1fff) === ids.map) moveInMap(moved.subarray(at + 4, at + packetBytes));
  }
  return moved;
}

function isStream(id: number): boolean {
  return id >= ids.first && id <= ids.last;
}

/** Changes the IDs in a program map (ISO/IEC 13818-1 §2.4.4.8), which begins after a pointer of one byte. */
function moveInMap(payload: Buffer): void {
  const section = payload.subarray(1 + payload.readUInt8(0));
  const end = 3 + (section.readUInt16BE(1) & 0xfff) - 4;
  section.writeUInt16BE(section.readUInt16BE(8) + (isStream(section.readUInt16BE(8) & 0x1fff) ? move : 0), 8);
  for (let at = 12 + (section.readUInt16BE(10) & 0xfff); at + 5 <= end; ) {
    section.writeUInt16BE(section.readUInt16BE(at + 1) + move, at + 1);
    at += 5 + (section.readUInt16BE(at + 3) & 0xfff);
  }
  section.writeUInt32BE(checksum(section.subarray(0, end)), end);
}

/** Returns the checksum of a section (ISO/IEC 13818-1 annex A). */
function checksum(bytes: Buffer): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc << 1) ^ ((crc & 0x8000_0000) === 0 ? 0 : 0x04c1_1db7);
  }
  return crc >>> 0;
}

/**
 * Returns the ADTS frames of an MPEG-TS file of audio as a segment of packed audio: behind an ID3 tag with the timestamp of
 * the first frame (RFC 8216 §3.4).
 */
export function packAudio(bytes: Buffer): Buffer {
  const payloads: Buffer[] = [];
  let ticks: number | undefined;
  for (let at = 0; at + packetBytes <= bytes.length; at += packetBytes) {
    const flags = bytes.readUInt16BE(at + 1);
    const control = bytes.readUInt8(at + 3);
    if (!isStream(flags & 0x1fff) || (control & 0x10) === 0) continue;
    const from = at + 4 + ((control & 0x20) === 0 ? 0 : 1 + bytes.readUInt8(at + 4));
    const payload = bytes.subarray(from, at + packetBytes);
    const begins = (flags & 0x4000) !== 0;
    // The presentation timestamp of a PES packet (ISO/IEC 13818-1 §2.4.3.7).
    if (begins) ticks ??= readTimestamp(payload, 9);
    payloads.push(begins ? payload.subarray(9 + payload.readUInt8(8)) : payload);
  }
  return Buffer.concat([timestampTag(ticks ?? 0), ...payloads]);
}

function timestampTag(ticks: number): Buffer {
  const value = Buffer.alloc(8);
  value.writeBigUInt64BE(BigInt(ticks));
  const body = Buffer.concat([Buffer.from('com.apple.streaming.transportStreamTimestamp\0'), value]);
  const frame = Buffer.concat([Buffer.from('PRIV'), Buffer.from([0, 0, 0, body.length, 0, 0]), body]);
  return Buffer.concat([Buffer.from('ID3'), Buffer.from([4, 0, 0, 0, 0, 0, frame.length]), frame]);
}
