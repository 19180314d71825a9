import { decline } from '../binary/fast-path-declined.ts';
import { type ProgramStream, readProgramAssociation, readProgramMap } from './program-tables.ts';

/** Size of a packet in bytes (ISO/IEC 13818-1 §2.4.3.2). */
export const packetBytes = 188;
/** First byte of each packet. */
export const syncByte = 0x47;
const headerBytes = 4;
/** Lowest PID of media. Lower PIDs belong to tables, and the highest PID belongs to null packets. */
const firstMediaPid = 0x20;
const nullPid = 0x1fff;

/** Maximum size of a PES packet in bytes. A keyframe of a 4K film has up to 2 MB. */
const maxPesBytes = 4 * 1024 * 1024;
const firstPesBytes = 64 * 1024;

/** Takes the PES packets of one stream. Their bytes are valid until it returns. */
type TakePes = (bytes: Buffer, length: number, position: number) => void;

/** State of the packets with one PID. */
interface PidState {
  readonly take: TakePes;
  /** Whether each packet is a complete table, so that packets are not joined. */
  readonly isTable: boolean;
  /** Continuity counter of the last packet; negative before the first. */
  counter: number;
  /** Whether the next packet may be discontinuous: it is the first of its PID in a segment of the file. */
  mayBeDiscontinuous: boolean;
  /** The incomplete PES packet and its size so far; empty before the first. */
  bytes: Buffer;
  length: number;
  /** Offset of its first packet in the file. */
  position: number;
}

/**
 * Assembles the PES packets of the only program in a transport stream. Declines if packets are lost, damaged or
 * encrypted, or streams change.
 */
export class Demuxer {
  readonly #begin: (streams: readonly ProgramStream[]) => readonly TakePes[];
  /** State of each PID, once their tables have been read. */
  readonly #pids: (PidState | undefined)[] = new Array(nullPid + 1).fill(undefined);
  readonly #open: PidState[] = [];
  /** Whether the streams are known. */
  #streamsKnown = false;
  /** Ends of the segments of the file, and the index of the current one. */
  readonly #segmentEnds: readonly number[];
  #segment = 0;

  /**
   * @param segmentEnds - ends of the segments of the file, each of which was muxed separately. The list grows while the
   * file arrives.
   * @param begin - called once with the streams; returns the functions that take their packets.
   */
  constructor(segmentEnds: readonly number[], begin: (streams: readonly ProgramStream[]) => readonly TakePes[]) {
    this.#segmentEnds = segmentEnds;
    this.#begin = begin;
    this.#addTable(0, (section) => this.#takeAssociation(section));
  }

  /**
   * Reads whole packets.
   *
   * @param block - contains the packets in its first `length` bytes.
   * @param position - offset of the first packet in the file.
   * @throws FastPathDeclined
   */
  read(block: Buffer, length: number, position: number): void {
    let segmentEnd = this.#segmentEnds[this.#segment] ?? Number.POSITIVE_INFINITY;
    for (let at = 0; at < length; at += packetBytes) {
      if (position + at >= segmentEnd) segmentEnd = this.#enterSegment(position + at);
      if (block[at] !== syncByte) decline('it is not a sequence of packets');
      const second = block[at + 1] ?? 0;
      const flags = block[at + 3] ?? 0;
      if (second >= 0x80) decline('one of its packets is damaged');
      const pid = ((second & 0x1f) << 8) | (block[at + 2] ?? 0);
      const state = this.#pids[pid];
      if (state === undefined) {
        if (!this.#streamsKnown && pid >= firstMediaPid && pid !== nullPid)
          decline('its media begins before its tables');
        continue;
      }
      if (flags >= 0x40) decline('it is encrypted');
      const startsUnit = (second & 0x40) !== 0;
      let payloadStart = at + headerBytes;
      let isDiscontinuous = false;
      if ((flags & 0x20) !== 0) {
        const adaptation = block[payloadStart] ?? 0;
        isDiscontinuous = adaptation > 0 && (block[payloadStart + 1] ?? 0) >= 0x80;
        payloadStart += 1 + adaptation;
      }
      const payloadEnd = at + packetBytes;
      if ((flags & 0x10) === 0) {
        if (payloadStart !== payloadEnd) decline('one of its packets is malformed');
        if (isDiscontinuous && !state.mayBeDiscontinuous) decline('its clock jumps');
        continue;
      }
      if (payloadStart >= payloadEnd) decline('one of its packets is malformed');
      const counter = flags & 0xf;
      const isContinuous = state.counter < 0 || counter === ((state.counter + 1) & 0xf);
      if ((isDiscontinuous || !isContinuous) && !(state.mayBeDiscontinuous && startsUnit))
        decline('some of its packets are missing');
      state.counter = counter;
      state.mayBeDiscontinuous = false;
      if (state.isTable) {
        if (!startsUnit) decline('one of its tables spans several packets');
        state.take(block.subarray(payloadStart, payloadEnd), payloadEnd - payloadStart, position + at);
        continue;
      }
      if (startsUnit) {
        if (state.length > 0) state.take(state.bytes, state.length, state.position);
        state.length = 0;
        state.position = position + at;
      } else if (state.length === 0) decline('it begins inside a packet of a stream');
      if (state.length + packetBytes > state.bytes.length) enlarge(state);
      state.length += block.copy(state.bytes, state.length, payloadStart, payloadEnd);
    }
  }

  /** Must be called after all packets have been read. */
  end(): void {
    const streams = this.#open.filter(({ isTable }) => !isTable);
    if (streams.length === 0) decline('it has no program');
    for (const { take, bytes, length, position } of streams) {
      if (length === 0) decline('one of its streams has no packets');
      take(bytes, length, position);
    }
  }

  /** Enters the segment that begins at an offset, and returns its end. */
  #enterSegment(position: number): number {
    while (position >= (this.#segmentEnds[this.#segment] ?? Number.POSITIVE_INFINITY)) this.#segment += 1;
    if (position !== this.#segmentEnds[this.#segment - 1]) decline('one of its segments ends inside a packet');
    for (const state of this.#open) state.mayBeDiscontinuous = true;
    return this.#segmentEnds[this.#segment] ?? Number.POSITIVE_INFINITY;
  }

  #takeAssociation(section: Buffer): void {
    this.#addTable(readProgramAssociation(section), (map) => this.#takeMap(map));
  }

  #takeMap(section: Buffer): void {
    const streams = readProgramMap(section);
    const packetHandlers = this.#begin(streams);
    this.#streamsKnown = true;
    streams.forEach(({ pid }, at) => {
      const take = packetHandlers[at];
      if (take !== undefined) this.#add(pid, take, false);
    });
  }

  /** Adds a table, which is read once and must not change. */
  #addTable(pid: number, onSection: (section: Buffer) => void): void {
    let previous: Buffer | undefined;
    const take = (payload: Buffer) => {
      const section = sectionOf(payload);
      if (previous === undefined) {
        previous = Buffer.from(section);
        onSection(previous);
      } else if (!previous.equals(section)) decline('one of its tables changes');
    };
    this.#add(pid, take, true);
  }

  #add(pid: number, take: TakePes, table: boolean): void {
    if (this.#pids[pid] !== undefined || pid === nullPid) decline('two of its streams share an identifier');
    const bytes = table ? Buffer.alloc(0) : Buffer.allocUnsafe(firstPesBytes);
    const state = { take, isTable: table, counter: -1, mayBeDiscontinuous: true, bytes, length: 0, position: 0 };
    this.#pids[pid] = state;
    this.#open.push(state);
  }
}

/** Returns the section at the beginning of a payload (ISO/IEC 13818-1 §2.4.4.2), which must be complete. */
function sectionOf(payload: Buffer): Buffer {
  const begin = 1 + (payload[0] ?? 0);
  if (begin + 3 > payload.length) decline('one of its tables is malformed');
  const end = begin + 3 + (payload.readUInt16BE(begin + 1) & 0xfff);
  // More sections may follow, whose first byte differs from padding.
  if (end > payload.length || (end < payload.length && payload[end] !== 0xff))
    decline('one of its tables spans several packets');
  return payload.subarray(begin, end);
}

function enlarge(state: PidState): void {
  if (state.length + packetBytes > maxPesBytes) decline('one of its pictures is too large');
  const larger = Buffer.allocUnsafe(2 * state.bytes.length);
  state.bytes.copy(larger, 0, 0, state.length);
  state.bytes = larger;
}
