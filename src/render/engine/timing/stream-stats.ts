import { type Gap, LongestGaps } from './longest-gaps.ts';
import type { Extent } from './timeline.ts';

/** Timing of a stream's packets, in seconds on the clock of their file. */
export interface StreamStats {
  /** Presentation time of the first packet. */
  readonly first: number;
  /** Presentation time of the last packet. */
  readonly last: number;
  /** End of the last packet. In many containers its duration is a guess. */
  readonly end: number;
  /** Number of packets; absent if only the beginning and the end were read. */
  readonly packets?: number;
  /** Whether an index lists each packet, as the sample tables of MP4 do. Demuxers may split or join packets. */
  readonly listed?: true;
  /**
   * Longest times between consecutive packets, in presentation order, longest first; absent if not every packet was
   * read.
   */
  readonly gaps?: readonly Gap[];
  /** How often the clock restarted or jumped. How much time passed during a jump is unknown. */
  readonly jumps: number;
  /** Seconds of media that an edit list removes before the first and after the last packet. */
  readonly cutOff?: number;
  /**
   * Number of packets that an edit list removes. Copies include those that presented frames need. They are not counted
   * in `packets`.
   */
  readonly hidden?: number;
  /** When it plays according to its edit list, in seconds of the presentation; absent without an edit list. */
  readonly plays?: Extent;
}

/** Properties of a file's streams that its statistics depend on. */
interface FileStatsOptions {
  /** Whether each stream has packets from beginning to end. The others (subtitles, data, covers) have no statistics. */
  readonly continuous: readonly boolean[];
  /** Whether the clock may jump ahead, as in MPEG-TS. In other containers a long gap is silence. */
  readonly mayJump: boolean;
}

/**
 * Maximum distance between the starts of two files that share one clock, in seconds, such as separate video and audio.
 */
export const sharedClockSeconds = 10;
/**
 * Inaccuracy of timestamp differences in seconds: less than a tick, so a difference that exactly equals a tolerance is
 * not a jump.
 */
const rounding = 1e-6;
/** Maximum time that the decoding times of MPEG-TS may go back before its clock counts as restarted, in seconds. */
const decodingTolerance = 0.1 + rounding;
/**
 * Maximum time that presentation times may go back in other containers, in seconds, measured from the earliest packet
 * that a new packet may still precede. Decoding times do not help there, because the library guesses them for Matroska.
 */
const presentationTolerance = 1;
/** Maximum silence in MPEG-TS before its clock counts as jumped, in seconds. */
const maxSilence = 10 + rounding;
/** Seconds after which a 33-bit clock of 90 kHz wraps around. */
const wrapSeconds = 2 ** 33 / 90_000;
/** Maximum time between decoding and presentation of a first packet, in seconds: a few frames of a slide show. */
const maxLead = 60;
/** Maximum number of packets between two consecutive ones in presentation order; H.264 and HEVC allow 16. */
const maxReordering = 20;
const ringSize = 32;

/**
 * Collects the statistics of a file's streams from timestamps as the demuxer reads them. Results are compared with
 * them, so this shares no code with `timeline.ts`, which determines the times of packets.
 */
export class FileStats {
  readonly #streams: readonly (StreamState | undefined)[];
  readonly #mayJump: boolean;
  /** Seconds that the latest jump adds to the clock. */
  #shift = 0;

  constructor({ continuous, mayJump }: FileStatsOptions) {
    this.#streams = continuous.map((yes) => (yes ? new StreamState() : undefined));
    this.#mayJump = mayJump;
  }

  /**
   * Adds a packet, in the order of reading. Times are in seconds; `duration` is 0 if unknown. A packet that is not
   * `isShown` is only needed to decode others.
   */
  add(stream: number, dts: number | undefined, pts: number | undefined, duration: number, isShown = true): void {
    const state = this.#streams[stream];
    if (state === undefined) return;
    const at = dts ?? state.nextDts ?? pts ?? 0;
    if (state.nextDts === undefined) state.shift = this.#shift;
    else this.#followClock(state, at, pts ?? at);
    state.lastDts = dts;
    state.firstDts ??= at + state.shift;
    state.nextDts = at + duration;
    if (isShown) state.add((pts ?? at) + state.shift, duration);
    else state.addCutOff((pts ?? at) + state.shift, duration);
  }

  /** Returns the statistics of each stream; absent for streams without packets. */
  all(): (StreamStats | undefined)[] {
    return this.#streams.map((state) => state?.stats());
  }

  /** Detects whether the clock restarted or jumped before a packet. */
  #followClock(state: StreamState, at: number, pts: number): void {
    // A guessed decoding time is no evidence of a jump.
    const step = state.lastDts === undefined ? 0 : at - state.lastDts;
    const hasRestarted = this.#mayJump
      ? step < -decodingTolerance
      : pts + state.shift < state.earliest - presentationTolerance;
    const jumpsAhead = this.#mayJump && step > maxSilence;
    if (!hasRestarted && !jumpsAhead) return;
    // The other streams continued in the meantime, so this one was silent.
    if (jumpsAhead && at + state.shift < this.#latestEnd() + maxSilence) return;
    state.flush();
    if (this.#mayJump && Math.abs(step + wrapSeconds) < maxSilence) {
      state.shift += wrapSeconds;
      this.#shift = state.shift;
      return;
    }
    state.jumps += 1;
    // If another stream was the first to make this jump, its shift applies here too.
    const distance = at + this.#shift - ((state.nextDts ?? at) + state.shift);
    if (this.#shift === state.shift || distance < -1 || distance > maxSilence)
      this.#shift = this.#latestEnd() - state.lead - at;
    state.shift = this.#shift;
  }

  /** Returns when all packets so far have been presented. */
  #latestEnd(): number {
    return this.#streams.reduce((latest, state) => {
      return state?.nextDts === undefined ? latest : Math.max(latest, state.nextDts + state.shift + state.lead);
    }, Number.NEGATIVE_INFINITY);
  }
}

class StreamState {
  /**
   * Decoding time of the last packet, if it had one, and the expected time of the next one, before jumps are removed.
   */
  lastDts: number | undefined;
  nextDts: number | undefined;
  /** Offset to add to them, in seconds. */
  shift = 0;
  /** Decoding time of the first packet, on the clock without jumps. */
  firstDts: number | undefined;
  jumps = 0;
  #packets = 0;
  #hidden = 0;
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;
  #end = Number.NEGATIVE_INFINITY;
  /** Start and end of the removed media, in presentation time. */
  #cutFirst = Number.POSITIVE_INFINITY;
  #cutEnd = Number.NEGATIVE_INFINITY;
  readonly #gaps = new LongestGaps();
  /** Presentation times of the last packets, ascending, in a ring buffer. An earlier one may still arrive. */
  readonly #ring = new Float64Array(ringSize);
  #begin = 0;
  #pending = 0;
  #lastPassed = Number.NEGATIVE_INFINITY;

  add(pts: number, duration: number): void {
    this.#packets += 1;
    if (pts < this.#first) this.#first = pts;
    if (pts > this.#last) this.#last = pts;
    if (pts + duration > this.#end) this.#end = pts + duration;
    const ring = this.#ring;
    let place = this.#begin + this.#pending;
    for (; place > this.#begin; place -= 1) {
      const before = ring[(place - 1) % ringSize] ?? 0;
      if (before <= pts) break;
      ring[place % ringSize] = before;
    }
    ring[place % ringSize] = pts;
    this.#pending += 1;
    if (this.#pending > maxReordering) this.#pass();
  }

  addCutOff(pts: number, duration: number): void {
    this.#hidden += 1;
    this.#cutFirst = Math.min(this.#cutFirst, pts);
    this.#cutEnd = Math.max(this.#cutEnd, pts + duration);
  }

  /** Seconds between decoding of the first packet and presentation of the earliest. */
  get lead(): number {
    const lead = Math.min(this.#first, this.#cutFirst) - (this.firstDts ?? Number.POSITIVE_INFINITY);
    return lead > 0 && lead <= maxLead ? lead : 0;
  }

  /** Presentation time of the earliest packet that later packets may still precede. */
  get earliest(): number {
    return this.#pending === 0 ? Number.NEGATIVE_INFINITY : (this.#ring[this.#begin % ringSize] ?? 0);
  }

  /** Processes all waiting packets, because no later packet precedes them. */
  flush(): void {
    while (this.#pending > 0) this.#pass();
  }

  stats(): StreamStats | undefined {
    if (this.#packets === 0) return undefined;
    this.flush();
    const cutOff = Math.max(0, this.#first - this.#cutFirst) + Math.max(0, this.#cutEnd - this.#end);
    return {
      first: this.#first,
      last: this.#last,
      end: this.#end,
      packets: this.#packets,
      gaps: this.#gaps.list(),
      jumps: this.jumps,
      ...(cutOff === 0 ? {} : { cutOff }),
      ...(this.#hidden === 0 ? {} : { hidden: this.#hidden }),
    };
  }

  /** Processes the earliest packet, which no later packet can precede. */
  #pass(): void {
    const pts = this.#ring[this.#begin % ringSize] ?? 0;
    this.#begin += 1;
    this.#pending -= 1;
    // Before the first packet, `#lastPassed` is minus infinity.
    if (pts <= this.#lastPassed) return;
    if (this.#lastPassed !== Number.NEGATIVE_INFINITY) this.#gaps.add(pts - this.#lastPassed, this.#lastPassed);
    this.#lastPassed = pts;
  }
}
