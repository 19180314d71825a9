import type { ByteSource } from '../binary/byte-source.ts';

const packetBytes = 188;
const syncByte = 0x47;

/**
 * Minimum number of packets that an MPEG-TS file needs so that FFmpeg and all players that use FFmpeg recognise it
 * (FFmpeg 8.1, `mpegts_probe`). They mistake a shorter file for an MPEG program stream, because it contains the same
 * start codes.
 */
const minRecognizedPackets = 12;

/** Whether a file is MPEG-TS but too short to be recognised. */
export function isShortTransportStream(source: ByteSource): boolean {
  const packets = source.size / packetBytes;
  if (packets >= minRecognizedPackets || !Number.isInteger(packets) || packets === 0) return false;
  const bytes = source.read(0, source.size);
  return Array.from({ length: packets }, (_, at) => bytes[at * packetBytes]).every((first) => first === syncByte);
}

/**
 * Returns the null packets (ISO/IEC 13818-1 §2.4.3.3) that make a file of the given size long enough to be recognised;
 * empty if it already is. Null packets carry no data.
 */
export function paddingFor(bytes: number): Buffer {
  const missing = Math.max(0, minRecognizedPackets - Math.floor(bytes / packetBytes));
  const nullPacket = Buffer.alloc(packetBytes, 0xff);
  nullPacket.writeUInt32BE(0x471f_ff10);
  return Buffer.concat(Array.from({ length: missing }, () => nullPacket));
}
