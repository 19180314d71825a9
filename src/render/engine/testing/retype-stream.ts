const packetBytes = 188;

/** Changes the stream type of all streams of one type in an MPEG-TS file (ISO/IEC 13818-1 §2.4.4.9). */
export function retypeStream(file: Buffer, from: number, to: number): Buffer {
  const bytes = Buffer.from(file);
  for (let at = 0; at + packetBytes <= bytes.length; at += packetBytes) {
    const packet = bytes.subarray(at, at + packetBytes);
    const section = packet.subarray(5);
    // The media library's muxer puts the program map at the beginning of a packet without an adaptation field.
    if (((packet[1] ?? 0) & 0x40) === 0 || packet[3] === undefined || (packet[3] & 0x30) !== 0x10) continue;
    if (packet[4] !== 0 || section[0] !== 2) continue;
    const end = 3 + (section.readUInt16BE(1) & 0xfff) - 4;
    for (let entry = 12 + (section.readUInt16BE(10) & 0xfff); entry < end; ) {
      if (section[entry] === from) section[entry] = to;
      entry += 5 + (section.readUInt16BE(entry + 3) & 0xfff);
    }
    section.writeUInt32BE(checksum(section.subarray(0, end)), end);
  }
  return bytes;
}

/** Returns the MPEG variant of CRC-32: from the highest bit on, without inversion (ISO/IEC 13818-1 annex A). */
export function checksum(bytes: Buffer): number {
  let value = 0xffff_ffff;
  for (const byte of bytes) {
    value ^= byte << 24;
    for (let bit = 0; bit < 8; bit += 1) value = (value << 1) ^ (value < 0 ? 0x04c1_1db7 : 0);
  }
  return value >>> 0;
}
