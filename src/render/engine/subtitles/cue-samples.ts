import type { CueTally } from './cue-tally.ts';
import { isPause, joinTimedText } from './subtitle-text.ts';

/** One sample of timed text, in milliseconds on the result's clock. */
export interface CueSample {
  readonly start: number;
  readonly end: number;
  readonly data: Buffer;
}

interface PendingCue {
  readonly begin: number;
  start: number;
  end: number;
  /** Whether its end is only a limit, because its source does not say it. */
  open: boolean;
  readonly data: Buffer;
  begun: boolean;
}

/** Milliseconds that a cue without a duration is shown at most, if nothing follows it. */
const openCueLimit = 10_000;
/** Milliseconds by which a cue may arrive after the other streams have passed its time. */
const lateness = 2000;
/** Cues that are shown at once at most. A screen has room for far fewer. */
const maxAtOnce = 32;
/** Cues that are held at most; several may end in the same sample. */
const maxPending = 64;
/** When the first cue can begin: the muxer begins each track with an empty sample, which must take time. */
const earliest = 1;

/**
 * Turns cues, which may overlap, into samples of MP4 timed text, of which only one is shown at a time (3GPP TS 26.245).
 * Where cues overlap, a sample holds the text of all that are shown, as ISO/IEC 14496-30 has it for WebVTT. Cues that
 * touch or overlap are handed on together, so that the muxer puts no empty sample between them.
 */
export class CueSamples {
  readonly #take: (sample: CueSample) => void;
  readonly #tally: CueTally;
  /** In order of their starts. */
  #pending: PendingCue[] = [];
  /** When the last sample ended. */
  #written = earliest;
  /** The time that other streams have reached. */
  #reached = Number.NEGATIVE_INFINITY;
  /** When {@link reach} has something to do. */
  #deadline = Number.POSITIVE_INFINITY;

  constructor(tally: CueTally, take: (sample: CueSample) => void) {
    this.#tally = tally;
    this.#take = take;
  }

  /** Adds a cue, or a pause, which ends the cues before it. A duration of 0 means that the next cue ends it. */
  add(begin: number, duration: number, data: Buffer): void {
    for (const cue of this.#pending) {
      if (!cue.open || cue.begin >= begin) continue;
      cue.end = Math.min(cue.end, begin);
      cue.open = false;
    }
    if (isPause(data)) return;
    const open = duration <= 0;
    const end = open ? begin + openCueLimit : begin + duration;
    const start = Math.max(begin, this.#written);
    if (end <= start) {
      this.#tally.miss(end <= earliest ? 'early' : 'unordered');
      return;
    }
    if (this.#pending.filter((cue) => cue.start <= start && cue.end > start).length >= maxAtOnce) {
      this.#tally.miss('crowded');
      return;
    }
    const place = this.#pending.findLastIndex((cue) => cue.start <= start) + 1;
    this.#pending.splice(place, 0, { begin, start, end, open, data, begun: false });
    this.#deadline = Math.min(this.#deadline, end + lateness);
    if (this.#pending.length >= maxPending) this.#write(this.#pending.at(-1)?.start ?? start);
  }

  /** Called when another stream has come to `time`: cues that have long ended are handed on. */
  reach(time: number): void {
    if (time > this.#reached) this.#reached = time;
    while (time >= this.#deadline) {
      const end = this.#groupEnd();
      this.#deadline = end + lateness;
      if (time < this.#deadline) return;
      this.#write(end);
    }
  }

  /** Hands on the rest. A cue without a duration ends with the other streams. */
  end(): void {
    const reached = Math.round(this.#reached);
    for (const cue of this.#pending) if (cue.open && cue.start < reached) cue.end = Math.min(cue.end, reached);
    this.#write(Number.POSITIVE_INFINITY);
  }

  /** When the first cues that touch or overlap have all ended. */
  #groupEnd(): number {
    let end = Number.NEGATIVE_INFINITY;
    for (const cue of this.#pending) {
      if (end !== Number.NEGATIVE_INFINITY && cue.start > end) break;
      end = Math.max(end, cue.end);
    }
    return end;
  }

  /** Hands on what is shown before `limit`. */
  #write(limit: number): void {
    const edges = [...new Set(this.#pending.flatMap(({ start, end }) => [start, Math.min(end, limit)]))];
    const times = edges.filter((time) => time <= limit).toSorted((a, b) => a - b);
    times.slice(1).forEach((end, at) => {
      const start = times[at] ?? end;
      const cuesAt = this.#pending.filter((cue) => cue.start <= start && cue.end >= end);
      if (cuesAt.length === 0) return;
      for (const cue of cuesAt) this.#begin(cue, start);
      this.#take({ start, end, data: joinTimedText(cuesAt.map(({ data }) => data)) });
      this.#written = end;
    });
    for (const cue of this.#pending) {
      if (cue.end <= limit && !cue.begun) this.#tally.miss();
    }
    this.#pending = this.#pending.filter(({ end }) => end > limit);
    for (const cue of this.#pending) cue.start = Math.max(cue.start, this.#written);
    this.#deadline = Math.min(...this.#pending.map(({ end }) => end + lateness));
  }

  #begin(cue: PendingCue, start: number): void {
    if (cue.begun) return;
    cue.begun = true;
    const late = start > Math.max(cue.begin, earliest);
    if (late) this.#tally.lose('unordered');
    this.#tally.show(start / 1000, start > cue.begin + earliest);
  }
}
