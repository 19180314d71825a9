import { decline } from '../binary/fast-path-declined.ts';
import { type ProgramStream, readAssociation, readMap } from './program-tables.ts';

/** Bytes of a packet (ISO/IEC 13818-1 §2.4.3.2). */
export const packetBytes = 188;
/** What each packet begins with. */
export const syncByte = 0x47;
const headerBytes = 4;
/** Identifiers below are those of tables, and the highest one is that of packets that mean nothing. */
const firstMediaPid = 0x20;
const nullPid = 0x1fff;

/** Bytes that a PES packet may have: a key frame of 4K film has up to 2 MB. */
const maxPesBytes = 4 * 1024 * 1024;
const firstPesBytes = 64 * 1024;

/** Takes the PES packets of one stream. Their bytes are good until it returns. */
type TakePes = (bytes: Buffer, length: number, position: number) => void;

/** The packets with one identifier. */
interface Channel {
  readonly take: TakePes;
  /** Whether each packet is a whole table, which is not put together with others. */
  readonly table: boolean;
  /** Continuity counter of the last packet; negative before the first. */
  counter: number;
  /** Whether the next packet need not follow the last one: it is the first of its channel in a piece of the file. */
  renewed: boolean;
  /** Bytes of the PES packet that is being put together, and how many there are; none before the first. */
  bytes: Buffer;
  length: number;
  /** Where its first packet is in the file. */
  position: number;
}

/**
 * Puts the PES packets of the only program of a transport stream together. What is lost, damaged, encrypted or changes on
 * the way declines.
 */
export class Demuxer {
  readonly #begin: (streams: readonly ProgramStream[]) => readonly TakePes[];
  /** Channels by identifier, once their tables have been read. */
  readonly #channels: (Channel | undefined)[] = new Array(nullPid + 1).fill(undefined);
  readonly #open: Channel[] = [];
  /** Whether the streams are known. */
  #begun = false;
  /** Where the pieces of the file end, and which one is read. */
  readonly #ends: readonly number[];
  #piece = 0;

  /**
   * @param ends - where the pieces of the file end, each of which was made by itself; grows while the file arrives.
   * @param begin - called once with the streams; returns what takes their packets.
   */
  constructor(ends: readonly number[], begin: (streams: readonly ProgramStream[]) => readonly TakePes[]) {
    this.#ends = ends;
    this.#begin = begin;
    this.#addTable(0, (section) => this.#takeAssociation(section));
  }

  /**
   * Reads whole packets.
   *
   * @param block - has the packets in its first `length` bytes.
   * @param position - of the first one in the file.
   * @throws FastPathDeclined
   */
  read(block: Buffer, length: number, position: number): void {
    let pieceEnd = this.#ends[this.#piece] ?? Number.POSITIVE_INFINITY;
    for (let at = 0; at < length; at += packetBytes) {
      if (position + at >= pieceEnd) pieceEnd = this.#renew(position + at);
      if (block[at] !== syncByte) decline('it is not a sequence of packets');
      const second = block[at + 1] ?? 0;
      const flags = block[at + 3] ?? 0;
      if (second >= 0x80) decline('one of its packets is damaged');
      const pid = ((second & 0x1f) << 8) | (block[at + 2] ?? 0);
      const channel = this.#channels[pid];
      if (channel === undefined) {
        if (!this.#begun && pid >= firstMediaPid && pid !== nullPid) decline('its media begins before its tables');
        continue;
      }
      if (flags >= 0x40) decline('it is encrypted');
      const begins = (second & 0x40) !== 0;
      let from = at + headerBytes;
      let jumps = false;
      if ((flags & 0x20) !== 0) {
        const adaptation = block[from] ?? 0;
        jumps = adaptation > 0 && (block[from + 1] ?? 0) >= 0x80;
        from += 1 + adaptation;
      }
      const to = at + packetBytes;
      if ((flags & 0x10) === 0) {
        if (from !== to) decline('one of its packets is malformed');
        if (jumps && !channel.renewed) decline('its clock jumps');
        continue;
      }
      if (from >= to) decline('one of its packets is malformed');
      const counter = flags & 0xf;
      const follows = channel.counter < 0 || counter === ((channel.counter + 1) & 0xf);
      if ((jumps || !follows) && !(channel.renewed && begins)) decline('some of its packets are missing');
      channel.counter = counter;
      channel.renewed = false;
      if (channel.table) {
        if (!begins) decline('one of its tables takes several packets');
        channel.take(block.subarray(from, to), to - from, position + at);
        continue;
      }
      if (begins) {
        if (channel.length > 0) channel.take(channel.bytes, channel.length, channel.position);
        channel.length = 0;
        channel.position = position + at;
      } else if (channel.length === 0) decline('it begins inside a packet of a stream');
      if (channel.length + packetBytes > channel.bytes.length) enlarge(channel);
      channel.length += block.copy(channel.bytes, channel.length, from, to);
    }
  }

  /** To be called when all has been read. */
  end(): void {
    const streams = this.#open.filter(({ table }) => !table);
    if (streams.length === 0) decline('it has no program');
    for (const { take, bytes, length, position } of streams) {
      if (length === 0) decline('one of its streams has no packets');
      take(bytes, length, position);
    }
  }

  /** Enters the piece that begins at a position, and returns where it ends. */
  #renew(position: number): number {
    while (position >= (this.#ends[this.#piece] ?? Number.POSITIVE_INFINITY)) this.#piece += 1;
    if (position !== this.#ends[this.#piece - 1]) decline('one of its pieces ends inside a packet');
    for (const channel of this.#open) channel.renewed = true;
    return this.#ends[this.#piece] ?? Number.POSITIVE_INFINITY;
  }

  #takeAssociation(section: Buffer): void {
    this.#addTable(readAssociation(section), (map) => this.#takeMap(map));
  }

  #takeMap(section: Buffer): void {
    const streams = readMap(section);
    const takers = this.#begin(streams);
    this.#begun = true;
    streams.forEach(({ pid }, at) => {
      const take = takers[at];
      if (take !== undefined) this.#add(pid, take, false);
    });
  }

  /** Adds a table, which is read once and must stay the same. */
  #addTable(pid: number, read: (section: Buffer) => void): void {
    let previous: Buffer | undefined;
    const take = (payload: Buffer) => {
      const section = sectionOf(payload);
      if (previous === undefined) {
        previous = Buffer.from(section);
        read(previous);
      } else if (!previous.equals(section)) decline('one of its tables changes');
    };
    this.#add(pid, take, true);
  }

  #add(pid: number, take: TakePes, table: boolean): void {
    if (this.#channels[pid] !== undefined || pid === nullPid) decline('two of its streams share an identifier');
    const bytes = table ? Buffer.alloc(0) : Buffer.allocUnsafe(firstPesBytes);
    const channel = { take, table, counter: -1, renewed: true, bytes, length: 0, position: 0 };
    this.#channels[pid] = channel;
    this.#open.push(channel);
  }
}

/** The section at the beginning of a payload (ISO/IEC 13818-1 §2.4.4.2), which must hold all of it. */
function sectionOf(payload: Buffer): Buffer {
  const begin = 1 + (payload[0] ?? 0);
  if (begin + 3 > payload.length) decline('one of its tables is malformed');
  const end = begin + 3 + (payload.readUInt16BE(begin + 1) & 0xfff);
  // Behind it, there may be other sections, which begin with another byte than padding.
  if (end > payload.length || (end < payload.length && payload[end] !== 0xff))
    decline('one of its tables takes several packets');
  return payload.subarray(begin, end);
}

function enlarge(channel: Channel): void {
  if (channel.length + packetBytes > maxPesBytes) decline('one of its pictures is too large');
  const larger = Buffer.allocUnsafe(2 * channel.bytes.length);
  channel.bytes.copy(larger, 0, 0, channel.length);
  channel.bytes = larger;
}
