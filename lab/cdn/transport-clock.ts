/** Ticks per second of the clock of MPEG-TS. */
export const clockHertz = 90_000;
/** Packet size of MPEG-TS in bytes, and ticks after which its clock wraps around. */
const packetBytes = 188;
const turn = 2 ** 33;

/** Returns an MPEG-TS file whose clock is ahead by some ticks (ISO/IEC 13818-1 §2.4.3). */
export function moveClock(bytes: Buffer, ticks: number): Buffer {
  const moved = Buffer.from(bytes);
  for (let at = 0; at + packetBytes <= moved.length; at += packetBytes) {
    const packet = moved.subarray(at, at + packetBytes);
    const control = packet.readUInt8(3);
    const fieldBytes = (control & 0x20) === 0 ? 0 : 1 + packet.readUInt8(4);
    if (fieldBytes > 1 && (packet.readUInt8(5) & 0x10) !== 0) moveReference(packet, 6, ticks);
    const payload = packet.subarray(4 + fieldBytes);
    const begins = (packet.readUInt16BE(1) & 0x4000) !== 0 && (control & 0x10) !== 0;
    if (begins && payload.length > 3 && payload.readUIntBE(0, 3) === 1) moveTimestamps(payload, ticks);
  }
  return moved;
}

/** Moves a clock reference: 33 bits, and 15 bits that stay. */
function moveReference(packet: Buffer, at: number, ticks: number): void {
  const value = packet.readUIntBE(at, 6);
  const rest = value % 2 ** 15;
  packet.writeUIntBE(after((value - rest) / 2 ** 15, ticks) * 2 ** 15 + rest, at, 6);
}

/** Moves the timestamps of a PES packet: that of its presentation, and that of its decoding if it has one. */
function moveTimestamps(pes: Buffer, ticks: number): void {
  const present = pes.readUInt8(7) >> 6;
  if (present >= 2) writeTimestamp(pes, 9, after(readTimestamp(pes, 9), ticks));
  if (present === 3) writeTimestamp(pes, 14, after(readTimestamp(pes, 14), ticks));
}

/** Reads a timestamp of 33 bits, which has marker bits after 3, 15 and 15 bits. */
export function readTimestamp(pes: Buffer, at: number): number {
  const [high, middle, low] = [pes.readUInt8(at), pes.readUInt16BE(at + 1), pes.readUInt16BE(at + 3)];
  return ((high >> 1) & 7) * 2 ** 30 + (middle >> 1) * 2 ** 15 + (low >> 1);
}

function writeTimestamp(pes: Buffer, at: number, ticks: number): void {
  const [high, middle, low] = [Math.floor(ticks / 2 ** 30), Math.floor(ticks / 2 ** 15) % 2 ** 15, ticks % 2 ** 15];
  pes.writeUInt8((pes.readUInt8(at) & 0xf0) | (high << 1) | 1, at);
  pes.writeUInt16BE(2 * middle + 1, at + 1);
  pes.writeUInt16BE(2 * low + 1, at + 3);
}

function after(time: number, ticks: number): number {
  return (time + ticks) % turn;
}
