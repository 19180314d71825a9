import { packetBytes } from '../mpeg-ts/demuxer.ts';
import { checksum } from './retype-stream.ts';

/** Changes the PIDs of streams in an MPEG-TS file of one program, also in its program map. */
export function changePids(file: Buffer, changes: Readonly<Record<number, number>>): Buffer {
  const bytes = Buffer.from(file);
  const changeAt = (target: Buffer, at: number) => {
    const word = target.readUInt16BE(at);
    target.writeUInt16BE((word & 0xe000) | (changes[word & 0x1fff] ?? word & 0x1fff), at);
  };
  for (let at = 0; at + packetBytes <= bytes.length; at += packetBytes) {
    const packet = bytes.subarray(at, at + packetBytes);
    changeAt(packet, 1);
    const section = packet.subarray(5);
    // The media library's muxer puts the program map at the beginning of a packet without an adaptation field.
    const isMap = (packet.readUInt16BE(0) & 0x40) !== 0 && (packet.readUInt8(3) & 0x30) === 0x10 && packet[4] === 0;
    if (!isMap || section[0] !== 2) continue;
    const end = 3 + (section.readUInt16BE(1) & 0xfff) - 4;
    // The stream of the clock.
    changeAt(section, 8);
    for (let entry = 12 + (section.readUInt16BE(10) & 0xfff); entry < end; ) {
      changeAt(section, entry + 1);
      entry += 5 + (section.readUInt16BE(entry + 3) & 0xfff);
    }
    section.writeUInt32BE(checksum(section.subarray(0, end)), end);
  }
  return bytes;
}
