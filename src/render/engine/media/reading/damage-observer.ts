import { AV_NOPTS_VALUE } from 'node-av/constants';
import type { Packet } from 'node-av/lib';
import { type ByteSource, withFile } from '../../binary/byte-source.ts';
import { skipId3Tag } from '../../binary/id3-tag.ts';
import { findAdtsHoles } from '../../damage/adts-holes.ts';
import { sizeOfTag } from '../../damage/audio-tags.ts';
import { breakFinder } from '../../damage/find-break.ts';
import type { Hole } from '../../damage/hole.ts';
import type { FindBreak, PacketPlace } from '../../damage/packet-place.ts';
import type { MediaInput } from '../input/media-input.ts';

/** Pause between two packets of a stream, in seconds, after which the bytes between them are examined. */
const leastPause = 0.03;
/** Maximum number of pauses that are examined: video may pause after every frame. */
const maxExaminations = 2000;
/** Maximum number of holes that are kept apart. Later ones count as parts of the last one. */
const maxHoles = 2000;
/** Formats whose parser joins damaged bytes and the frame behind them to one packet. */
const joiningFormats = new Set(['mp3', 'ac3', 'eac3']);
/** First bytes of frames of AC-3 and E-AC-3 in both byte orders, and first 11 bits of frames of MPEG audio. */
const syncWords = [0x0b77, 0x770b];
const mpegSyncBits = 0x7ff;
/** Maximum size of a frame of these formats, in bytes: that of E-AC-3. */
const maxFrameBytes = 4096;
/** Bytes that are not packets, in an ADTS file without damage: an ID3v1 tag at the end. */
const usualRest = 256;
/** Multiple of the mean size of packets above which a packet is examined. */
const largeFactor = 1.5;

/** The last packet of a stream. */
interface LastPacket extends PacketPlace {
  /** Decoding time at which the next packet is expected, in seconds on the file's clock. */
  readonly end: number;
  /** The last packet at another position. */
  readonly before?: PacketPlace | undefined;
}

/**
 * Finds parts of a file that its demuxer skipped. After damaged bytes, demuxers continue where they can, and do not
 * report it. In files with timestamps the streams then pause: only the bytes of a pause are examined.
 */
export class DamageObserver {
  readonly #begin: number;
  readonly #path: string;
  readonly #format: string;
  readonly #findBreak: FindBreak | undefined;
  /** Duration of one tick of each stream, in seconds. */
  readonly #ticks: readonly number[];
  readonly #last: LastPacket[] = [];
  readonly #holes: Hole[] = [];
  #examinations = 0;
  /** Number of packets, and their total size in bytes. */
  #packets = 0;
  #bytes = 0;

  /** @param begin - time at which the file begins on the result's clock, in seconds. */
  constructor({ path, format, streams }: MediaInput, begin: number) {
    this.#begin = begin;
    this.#path = path;
    this.#format = format;
    this.#findBreak = breakFinder(format);
    this.#ticks = streams.map(({ timeBase: { num, den } }) => num / den);
  }

  /**
   * Adds a packet, before its times are corrected.
   *
   * @param at - time of the packet before it on the result's clock, in seconds.
   */
  add(packet: Packet, stream: number, at: number): void {
    if (this.#findBreak !== undefined) this.#addTimed(packet, stream, at);
    else if (joiningFormats.has(this.#format)) this.#addJoined(packet, at);
    else if (this.#format === 'aac') this.#bytes += packet.size;
  }

  /** Returns the holes of the file, once it is read. */
  finish(): readonly Hole[] {
    if (this.#format !== 'aac') return this.#holes;
    return withFile(this.#path, (source) => {
      // The demuxer counts only the bytes that it delivers, so the places of its packets are unknown.
      if (source.size - skipId3Tag(source) - this.#bytes <= usualRest) return [];
      return findAdtsHoles(source).map((hole) => ({ ...hole, at: this.#begin + hole.at }));
    });
  }

  #addTimed(packet: Packet, stream: number, at: number): void {
    const { dts } = packet;
    const ticks = dts === AV_NOPTS_VALUE ? packet.pts : dts;
    // A FLAC packet without a time consists of damaged bytes.
    if (ticks === AV_NOPTS_VALUE) return;
    const tick = this.#ticks[stream] ?? 0;
    const [start, position] = [Number(ticks) * tick, Number(packet.pos)];
    const last = this.#last[stream];
    const isSamePlace = last?.position === position;
    // The packets of an Ogg page have one position, and the first of them has a time that the library guessed.
    const before = isSamePlace ? last.before : last;
    const pause = start - (last?.end ?? start);
    if (before !== undefined && pause > leastPause) this.#examine(before, position, at, pause);
    this.#last[stream] = { position, size: packet.size, end: start + Number(packet.duration) * tick, before };
  }

  #examine(last: PacketPlace, next: number, at: number, seconds: number): void {
    if (this.#examinations >= maxExaminations || last.position < 0 || next <= last.position) return;
    this.#examinations += 1;
    const offset = withFile(this.#path, (source) => this.#findBreak?.(source, last, next));
    if (offset === undefined) return;
    // Each stream has a pause at the same hole.
    const index = this.#holes.findIndex((hole) => hole.offset < next && offset < hole.offset + hole.bytes);
    const hole = this.#holes[index];
    if (hole === undefined) this.#holes.push({ offset, bytes: next - offset, at, seconds });
    else this.#holes[index] = { ...hole, seconds: Math.max(hole.seconds, seconds) };
  }

  #addJoined(packet: Packet, at: number): void {
    const { size } = packet;
    // Bytes before the first frame are not a part of the media. Reading the contents of each packet would take longer.
    const isLarge = this.#packets > 0 && size > largeFactor * (this.#bytes / this.#packets);
    if (isLarge && (size > maxFrameBytes || !startsWithFrame(packet)) && !startsWithTag(packet)) {
      const seconds = (size * (at - this.#begin)) / this.#bytes;
      const last = this.#holes.length < maxHoles ? undefined : this.#holes.pop();
      const hole = last ?? { offset: Number(packet.pos), bytes: 0, at, seconds: 0 };
      this.#holes.push({ ...hole, bytes: hole.bytes + size, seconds: hole.seconds + seconds });
      return;
    }
    this.#bytes += size;
    this.#packets += 1;
  }
}

/** Whether a packet begins with the header of a frame. */
function startsWithFrame({ data }: Packet): boolean {
  const word = data === null || data.length < 2 ? 0 : data.readUInt16BE(0);
  return syncWords.includes(word) || word >>> 5 === mpegSyncBits;
}

/** Whether a packet begins with a tag, which the parser takes for audio. */
function startsWithTag({ data }: Packet): boolean {
  if (data === null) return false;
  const source: ByteSource = { size: data.length, read: (at, length) => data.subarray(at, at + length) };
  return sizeOfTag(source, 0) > 0;
}
