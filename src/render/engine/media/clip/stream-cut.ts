import { AV_NOPTS_VALUE } from 'node-av/constants';
import type { IRational, Packet } from 'node-av/lib';
import { MillraceError } from '../../../../contract/errors.ts';
import { KeyFrameReader } from '../../formats/key-frames.ts';
import { isPause } from '../../subtitles/subtitle-text.ts';
import { clipRounding, preRollPackets, stillSeconds } from '../../timing/clip-rules.ts';
import { CueCounter, type CueStats } from '../../timing/cue-stats.ts';
import { FileStats, type StreamStats } from '../../timing/stream-stats.ts';
import { isCutOff } from '../edit-list-filter.ts';
import type { NamedStream, Sink } from '../sink.ts';
import { secondsToTicks } from '../timestamps.ts';
import { DecodableFrames } from './decodable-frames.ts';
import { type ClipPacket, HeldPackets } from './held-packets.ts';

/** Seconds of audio before the start that are decoded and dropped, so that decoders are in the right state. */
const decodedPreRoll = 0.5;
/** Maximum display time of a cue without a duration, in seconds. */
const openCueSeconds = 10;

/** A stream that a clip cuts. */
export interface CutStream {
  readonly kind: 'video' | 'audio' | 'other';
  readonly codec: string;
  /** Whether it is decoded. Its frames are then cut again, exactly. */
  readonly isDecoded: boolean;
  /** Whether the container can hide what precedes the start. */
  readonly hidesLead: boolean;
  /** Its name in messages, and its time base. */
  readonly stream: NamedStream;
}

/** The bounds of a clip, in seconds on its own clock, which is 0 at the requested start. */
export interface ClipBounds {
  /** The requested start, in seconds from the start of the media. */
  readonly mediaStart: number;
  /** The requested end; infinite without one. */
  readonly end: number;
  /** Where the result begins, at or before 0; undefined until it is known. */
  begin: number | undefined;
  /** Returns the earliest time at which the result may begin; minus infinity while that is unknown. */
  readonly earliestBegin: () => number;
  /**
   * Called when it may be known where a stream can begin.
   *
   * @param mustDecide - whether streams that have not reached the start must not be waited for.
   */
  readonly settle: (mustDecide?: boolean) => void;
}

/**
 * Passes on the packets of one stream that a clip needs. Video begins at the key frame before the start. Packets are
 * held until it is known where the result begins, which depends on all streams. Their times are then moved so that the
 * result begins at 0, unless the container hides what precedes the start.
 */
export class StreamCut implements Sink {
  readonly #sink: Sink;
  readonly #traits: CutStream;
  readonly #bounds: ClipBounds;
  readonly #stats = new FileStats({ continuous: [true], mayJump: false });
  readonly #cues = new CueCounter();
  readonly #held: HeldPackets;
  /** Packets after the end, which earlier frames may need. */
  readonly #tail: HeldPackets;
  #base: IRational;
  #tick: number;
  #keyFrames: KeyFrameReader;
  /** Whether a packet has reached the start, so that the packets to begin with are held. */
  #hasReachedStart = false;
  #isOpen = false;
  #isDone = false;
  #hasEnded = false;
  #isFinished = false;
  readonly #decodable = new DecodableFrames();
  #mediaEnd = Number.NEGATIVE_INFINITY;
  #lastDts = Number.NEGATIVE_INFINITY;
  #isEmpty = true;

  constructor(sink: Sink, traits: CutStream, bounds: ClipBounds) {
    this.#sink = sink;
    this.#traits = traits;
    this.#bounds = bounds;
    this.#held = new HeldPackets(traits.stream.label);
    this.#tail = new HeldPackets(traits.stream.label);
    this.#base = traits.stream.stream.timeBase;
    this.#tick = this.#base.num / this.#base.den;
    this.#keyFrames = keyFramesOf(traits.codec, traits.stream);
  }

  /** Whether it is known where the stream can begin. */
  get hasReachedStart(): boolean {
    return this.#hasReachedStart;
  }

  /** Whether no later packet is needed. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Whether all packets were read. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Whether no packet is in the clip. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  get kind(): CutStream['kind'] {
    return this.#traits.kind;
  }

  /** Whether the result can only begin where this stream can: it is copied and nothing hides what precedes the start. */
  get decidesStart(): boolean {
    const { isDecoded, hidesLead, kind } = this.#traits;
    return kind !== 'other' && !isDecoded && !hidesLead;
  }

  /** Where the stream can begin, on the clock of the clip; undefined without packets. */
  get begin(): number | undefined {
    return this.#held.first?.pts;
  }

  /** Seconds of its video that are missing at the start, because decoding cannot begin there; infinite for all of it. */
  get lostSeconds(): number {
    return this.#decodable.lostSeconds;
  }

  /** End of the stream as far as it was read, on the clock of the clip. */
  get mediaEnd(): number {
    return this.#mediaEnd;
  }

  /** Timing of the packets that were passed on, in seconds from the start of the media; undefined without packets. */
  stats(): StreamStats | undefined {
    return this.#stats.all()[0];
  }

  /** Start times of the cues that were passed on, in seconds from the start of the media; undefined without cues. */
  cues(): CueStats | undefined {
    return this.#cues.stats();
  }

  push(packet: Packet): void {
    if (this.#isDone) return;
    const timed = this.#read(packet);
    this.#mediaEnd = Math.max(this.#mediaEnd, timed.pts + timed.duration);
    this.#lastDts = timed.dts;
    if (this.#isOpen) {
      this.#pass(timed);
      return;
    }
    if (this.#hold(timed)) this.#hasReachedStart = true;
    this.#bounds.settle();
  }

  async startPart(next: NamedStream | undefined): Promise<void> {
    // The packets of a part can only be passed on before the next part begins.
    if (this.#mediaEnd > clipRounding && !this.#isOpen) {
      this.#hasReachedStart = true;
      this.#bounds.settle(true);
      this.open();
    }
    this.#held.clear();
    this.#tail.clear();
    await this.#sink.startPart(next);
    if (next === undefined) return;
    this.#base = next.stream.timeBase;
    this.#tick = this.#base.num / this.#base.den;
    this.#keyFrames = keyFramesOf(this.#traits.codec, next);
  }

  end(): void {
    if (this.#mediaEnd > clipRounding) this.#hasReachedStart = true;
    else this.#held.clear();
    this.#hasEnded = true;
    this.#bounds.settle();
    this.open();
    if (this.#isOpen) this.#finish();
  }

  /** Passes on the held packets, now that it is known where the result begins. */
  open(): void {
    const { begin } = this.#bounds;
    if (this.#isOpen || begin === undefined) return;
    this.#isOpen = true;
    const { kind, isDecoded } = this.#traits;
    // Every frame is decoded before it is displayed.
    if (kind === 'video') {
      this.#held.fillGap(this.#lastDts, (seconds) => secondsToTicks(seconds, this.#base));
    }
    if (kind === 'audio' && (isDecoded || !this.#traits.hidesLead)) {
      const first = isDecoded ? begin - decodedPreRoll : begin - clipRounding;
      this.#held.dropUntil(({ pts }) => pts >= first);
    }
    this.#held.release((packet) => this.#pass(packet));
    if (this.#hasEnded) this.#finish();
  }

  describeLosses(): string | undefined {
    return this.#sink.describeLosses?.();
  }

  droppedCount(): number {
    return this.#sink.droppedCount?.() ?? 0;
  }

  undecodedPackets(): number {
    return this.#sink.undecodedPackets?.() ?? 0;
  }

  mixExtent() {
    return this.#sink.mixExtent?.() ?? { first: 0, end: 0 };
  }

  #finish(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.#tail.clear();
    this.#sink.end();
  }

  #read(packet: Packet): ClipPacket {
    const { pts, dts, duration } = packet;
    const own = pts === AV_NOPTS_VALUE ? dts : pts;
    if (own === AV_NOPTS_VALUE) {
      throw new MillraceError(
        'source_unsupported',
        `${this.#traits.stream.label} has no timestamps, so a clip of it cannot be cut. Request the whole media.`,
      );
    }
    const seconds = (ticks: bigint) => Number(ticks) * this.#tick;
    return {
      packet,
      pts: seconds(own),
      dts: seconds(dts === AV_NOPTS_VALUE ? own : dts),
      duration: seconds(duration),
      isKey: this.#isKeyFrame(packet),
    };
  }

  /** Whether decoding can begin at a packet. Takes the flag from one whose file is wrong about that. */
  #isKeyFrame(packet: Packet): boolean {
    if (!packet.isKeyframe || this.#traits.kind !== 'video') return packet.isKeyframe;
    packet.isKeyframe = this.#keyFrames.isKeyFrame(packet.data ?? Buffer.alloc(0));
    return packet.isKeyframe;
  }

  /** Holds a packet that the clip may begin with. Returns whether the packets to begin with are known. */
  #hold(packet: ClipPacket): boolean {
    const { pts, duration } = packet;
    const earliest = this.#bounds.earliestBegin();
    switch (this.#traits.kind) {
      case 'video':
        return this.#holdVideo(packet);
      case 'audio':
        this.#held.add(packet);
        this.#dropOldAudio(earliest);
        return pts + duration > clipRounding;
      case 'other':
        this.#held.add(packet);
        this.#held.dropUntil((held) => held.pts + (held.duration || openCueSeconds) > earliest);
        return false;
    }
  }

  #holdVideo(packet: ClipPacket): boolean {
    const { pts, dts, isKey } = packet;
    if (isKey && pts <= clipRounding) {
      this.#held.clear();
      this.#decodable.beginAt(packet);
    }
    if (this.#decodable.has(packet)) this.#held.add(packet);
    return dts > clipRounding || (isKey && pts > clipRounding);
  }

  /** Drops audio that precedes the earliest possible start of the result. */
  #dropOldAudio(earliest: number): void {
    const { isDecoded, hidesLead, codec } = this.#traits;
    this.#held.dropUntil(({ pts, duration }, at, all) => {
      if (isDecoded) return pts >= earliest - decodedPreRoll;
      // Without that many packets after it, it may be the first one that decoders need.
      const following = all[at + (hidesLead ? preRollPackets(codec, duration) : 0)];
      return following === undefined || following.pts + following.duration > earliest + clipRounding;
    });
  }

  /** Passes on a packet unless it is after the end. */
  #pass(packet: ClipPacket): void {
    if (this.#isDone) return;
    const { end, begin = 0 } = this.#bounds;
    const { pts, dts, duration } = packet;
    const { kind } = this.#traits;
    if (kind === 'other') {
      if (pts < end - clipRounding && pts + (duration || openCueSeconds) > begin) this.#write(packet);
      return;
    }
    if (kind === 'video' && !this.#decodable.has(packet)) return;
    if (pts < end - clipRounding) {
      this.#tail.release((held) => this.#write(held));
      this.#write(packet);
    } else if (kind === 'video' && dts < end - clipRounding) {
      this.#tail.add(packet);
    } else {
      this.#tail.clear();
      this.#isDone = true;
    }
  }

  #write(given: ClipPacket): void {
    const timed = this.#endStill(given);
    const { packet, pts, duration } = timed;
    if (pts + duration > clipRounding) this.#isEmpty = false;
    if (this.#traits.kind === 'other') this.#shorten(timed);
    else this.#count(timed);
    const { begin = 0 } = this.#bounds;
    const shift = secondsToTicks(this.#traits.hidesLead ? 0 : begin, this.#base);
    if (shift !== 0n) {
      if (packet.dts !== AV_NOPTS_VALUE) packet.dts -= shift;
      if (packet.pts !== AV_NOPTS_VALUE) packet.pts -= shift;
    }
    this.#sink.push(packet);
  }

  /** Lets a picture that is displayed for long end with the clip. */
  #endStill(timed: ClipPacket): ClipPacket {
    const { end } = this.#bounds;
    const { packet, pts, duration } = timed;
    if (this.#traits.kind !== 'video' || pts >= end || pts + duration <= end + stillSeconds) return timed;
    packet.duration = secondsToTicks(end - pts, this.#base);
    return { ...timed, duration: end - pts };
  }

  /** Counts a packet of video or audio. Decoded streams have nothing before the start and after the end. */
  #count({ packet, pts, dts, duration }: ClipPacket): void {
    const { begin = 0, end, mediaStart } = this.#bounds;
    const { isDecoded } = this.#traits;
    const from = isDecoded ? Math.max(pts, begin) : pts;
    const to = isDecoded ? Math.min(pts + duration, end) : pts + duration;
    if (isDecoded && to <= from) return;
    this.#stats.add(0, Math.min(dts, from) + mediaStart, from + mediaStart, to - from, !isCutOff(packet));
  }

  /** Shortens a cue at the bounds of the clip. The next cue ends one without a duration. */
  #shorten({ packet, pts, duration }: ClipPacket): void {
    const { begin = 0, end, mediaStart } = this.#bounds;
    const from = duration === 0 ? pts : Math.max(pts, begin);
    if (from !== pts) packet.pts = packet.dts = secondsToTicks(from, this.#base);
    const length = Math.min(pts + duration, end) - from;
    if (duration > 0) packet.duration = secondsToTicks(Math.max(length, this.#tick), this.#base);
    const isFiller = this.#traits.codec === 'mov_text' && packet.data !== null && isPause(packet.data);
    if (!isFiller) this.#cues.add(from + mediaStart);
  }
}

function keyFramesOf(codec: string, { stream }: NamedStream): KeyFrameReader {
  return new KeyFrameReader(codec, stream.codecpar.extradata ?? Buffer.alloc(0));
}
