import { packetBytes } from '../mpeg-ts/demuxer.ts';

/** A PES packet that a test can change. Times are in ticks of 90 kHz. */
export interface TestPes {
  readonly kind: 'video' | 'audio';
  readonly pts: number;
  readonly dts: number;
  readonly payload: Buffer;
}

/** Further changes that a test makes to a transport stream. */
export interface Muxing {
  /** Stream types of the program map. */
  readonly types?: Readonly<Record<TestPes['kind'], number>>;
  /** Descriptors of each stream in the program map. */
  readonly descriptors?: Buffer;
  /** PES packets between two repetitions of the tables. */
  readonly tablesEvery?: number;
}

const pids = { program: 0x100, video: 0x101, audio: 0x102 } as const;
const streamIds = { video: 0xe0, audio: 0xc0 } as const;
const usualTypes = { video: 0x1b, audio: 0x0f } as const;
const wrap = 2 ** 33;

/** Demuxes a transport stream of one program, without any checks. The packets are in the order in which they begin. */
export function demuxTransportStream(file: Buffer): TestPes[] {
  const packets: { pid: number; parts: Buffer[] }[] = [];
  for (let at = 0; at < file.length; at += packetBytes) {
    const pid = file.readUInt16BE(at + 1) & 0x1fff;
    const flags = file.readUInt8(at + 3);
    if (pid < 0x20 || pid === 0x1fff || (flags & 0x10) === 0) continue;
    const from = at + 4 + ((flags & 0x20) === 0 ? 0 : 1 + file.readUInt8(at + 4));
    const payload = file.subarray(from, at + packetBytes);
    const begins = (file.readUInt8(at + 1) & 0x40) !== 0;
    if (begins && payload.readUIntBE(0, 3) === 1) packets.push({ pid, parts: [payload] });
    else if (!begins) packets.findLast((one) => one.pid === pid)?.parts.push(payload);
  }
  return packets.map(({ parts }) => {
    const bytes = Buffer.concat(parts);
    const pts = timeAt(bytes, 9);
    const dts = bytes.readUInt8(7) >> 6 === 3 ? timeAt(bytes, 14) : pts;
    const kind = bytes.readUInt8(3) === streamIds.video ? 'video' : 'audio';
    return { kind, pts, dts, payload: bytes.subarray(9 + bytes.readUInt8(8)) };
  });
}

function timeAt(bytes: Buffer, at: number): number {
  const [a, b, c] = [bytes.readUInt8(at), bytes.readUInt16BE(at + 1), bytes.readUInt16BE(at + 3)];
  return ((a >> 1) & 7) * 2 ** 30 + (b >> 1) * 2 ** 15 + (c >> 1);
}

/** Muxes a transport stream. */
export function muxTransportStream(packets: readonly TestPes[], muxing: Muxing = {}): Buffer {
  const { tablesEvery = 50 } = muxing;
  const kinds = (['video', 'audio'] as const).filter((kind) => packets.some((packet) => packet.kind === kind));
  const counters = new Map<number, number>();
  const packetize = (pid: number, bytes: Buffer): Buffer[] => {
    const tsPackets: Buffer[] = [];
    for (let from = 0; from < bytes.length; ) {
      const counter = ((counters.get(pid) ?? -1) + 1) & 0xf;
      counters.set(pid, counter);
      const part = bytes.subarray(from, from + packetBytes - 4);
      tsPackets.push(packetOf(pid, counter, from === 0, part));
      from += part.length;
    }
    return tsPackets;
  };
  const tables = () => [
    ...packetize(0, withPointer(tableSection(0, Buffer.from([0, 1, 0xe0 | (pids.program >> 8), pids.program & 0xff])))),
    ...packetize(pids.program, withPointer(tableSection(2, mapOf(kinds, muxing)))),
  ];
  return Buffer.concat(
    packets.flatMap((packet, at) => [
      ...(at % tablesEvery === 0 ? tables() : []),
      ...packetize(pids[packet.kind], pesOf(packet)),
    ]),
  );
}

/** Builds one packet, filled up to its size by an adaptation field. */
function packetOf(pid: number, counter: number, begins: boolean, payload: Buffer): Buffer {
  const room = packetBytes - 4 - payload.length;
  const head = Buffer.from([0x47, (begins ? 0x40 : 0) | (pid >> 8), pid & 0xff, (room > 0 ? 0x30 : 0x10) | counter]);
  const adaptation = Buffer.alloc(room, 0xff);
  if (room > 0) adaptation[0] = room - 1;
  if (room > 1) adaptation[1] = 0;
  return Buffer.concat([head, adaptation, payload]);
}

function pesOf({ kind, pts, dts, payload }: TestPes): Buffer {
  const both = dts !== pts;
  const times = both ? [timeOf(3, pts), timeOf(2 - 1, dts)] : [timeOf(2, pts)];
  const header = Buffer.concat(times);
  const length = payload.length + 3 + header.length;
  const declaredLength = kind === 'audio' && length <= 0xffff ? length : 0;
  const start = Buffer.from([
    0,
    0,
    1,
    streamIds[kind],
    declaredLength >> 8,
    declaredLength & 0xff,
    0x80,
    both ? 0xc0 : 0x80,
  ]);
  return Buffer.concat([start, Buffer.from([header.length]), header, payload]);
}

function timeOf(prefix: number, time: number): Buffer {
  const ticks = ((time % wrap) + wrap) % wrap;
  const [high, middle, low] = [Math.floor(ticks / 2 ** 30), Math.floor(ticks / 2 ** 15) % 2 ** 15, ticks % 2 ** 15];
  const bytes = Buffer.alloc(5);
  bytes.writeUInt8((prefix << 4) | (high << 1) | 1, 0);
  bytes.writeUInt16BE(middle * 2 + 1, 1);
  bytes.writeUInt16BE(low * 2 + 1, 3);
  return bytes;
}

function mapOf(
  kinds: readonly TestPes['kind'][],
  { types = usualTypes, descriptors = Buffer.alloc(0) }: Muxing,
): Buffer {
  const streams = kinds.map((kind) => {
    const about = Buffer.from([types[kind], 0xe0 | (pids[kind] >> 8), pids[kind] & 0xff, 0xf0, descriptors.length]);
    return Buffer.concat([about, descriptors]);
  });
  return Buffer.concat([Buffer.from([0xe1, 0xff, 0xf0, 0]), ...streams]);
}

/** Builds a section of a table with its checksum. */
export function tableSection(table: number, body: Buffer): Buffer {
  const length = body.length + 9;
  const head = Buffer.from([table, 0xb0 | (length >> 8), length & 0xff, 0, 1, 0xc1, 0, 0]);
  const bytes = Buffer.concat([head, body]);
  let register = 0xffff_ffffn;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      const feedback = (register >> 31n) ^ BigInt((byte >> bit) & 1);
      register = (register << 1n) & 0xffff_ffffn;
      if (feedback === 1n) register ^= 0x04c1_1db7n;
    }
  }
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(Number(register));
  return Buffer.concat([bytes, checksum]);
}

/** Builds the payload of a table packet: a pointer, the section, and padding. */
function withPointer(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0]), bytes, Buffer.alloc(packetBytes - 5 - bytes.length, 0xff)]);
}
