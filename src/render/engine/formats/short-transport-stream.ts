import type { ByteSource } from '../binary/byte-source.ts';

const packetBytes = 188;
const syncByte = 0x47;

/**
 * Packets that a file of MPEG-TS has to have for FFmpeg, and all players that use it, to recognise it (FFmpeg 8.1,
 * `mpegts_probe`). They take a shorter one for an MPEG program stream, whose start codes it contains as well.
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
 * The null packets (ISO/IEC 13818-1 §2.4.3.3), which mean nothing, that make a file of a size long enough to be
 * recognised; empty if it is.
 */
export function paddingFor(bytes: number): Buffer {
  const missing = Math.max(0, minRecognizedPackets - Math.floor(bytes / packetBytes));
  const nullPacket = Buffer.alloc(packetBytes, 0xff);
  nullPacket.writeUInt32BE(0x471f_ff10);
  return Buffer.concat(Array.from({ length: missing }, () => nullPacket));
}
