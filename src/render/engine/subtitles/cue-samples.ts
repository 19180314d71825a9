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
  isOpenEnded: boolean;
  readonly data: Buffer;
  isStarted: boolean;
}

/** Milliseconds that a cue without a duration is shown at most, if nothing follows it. */
const openCueLimit = 10_000;
/** Milliseconds by which a cue may arrive after the other streams have passed its time. */
const latenessLimit = 2000;
/** Cues that are shown at once at most. A screen has room for far fewer. */
const maxAtOnce = 32;
/** Cues that are held at most; several may end in the same sample. */
const maxPending = 64;
/** When the first cue can begin: the muxer begins each track with an empty sample, which must take time. */
const earliestStart = 1;

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
  #writtenEnd = earliestStart;
  /** The time that other streams have reached. */
  #reachedMs = Number.NEGATIVE_INFINITY;
  /** When {@link advanceTo} has something to do. */
  #deadline = Number.POSITIVE_INFINITY;

  constructor(tally: CueTally, take: (sample: CueSample) => void) {
    this.#tally = tally;
    this.#take = take;
  }

  /** Adds a cue, or a pause, which ends the cues before it. A duration of 0 means that the next cue ends it. */
  add(begin: number, duration: number, data: Buffer): void {
    for (const cue of this.#pending) {
      if (!cue.isOpenEnded || cue.begin >= begin) continue;
      cue.end = Math.min(cue.end, begin);
      cue.isOpenEnded = false;
    }
    if (isPause(data)) return;
    const isOpenEnded = duration <= 0;
    const end = isOpenEnded ? begin + openCueLimit : begin + duration;
    const start = Math.max(begin, this.#writtenEnd);
    if (end <= start) {
      this.#tally.addMissing(end <= earliestStart ? 'early' : 'unordered');
      return;
    }
    if (this.#pending.filter((cue) => cue.start <= start && cue.end > start).length >= maxAtOnce) {
      this.#tally.addMissing('crowded');
      return;
    }
    const insertAt = this.#pending.findLastIndex((cue) => cue.start <= start) + 1;
    this.#pending.splice(insertAt, 0, { begin, start, end, isOpenEnded, data, isStarted: false });
    this.#deadline = Math.min(this.#deadline, end + latenessLimit);
    if (this.#pending.length >= maxPending) this.#write(this.#pending.at(-1)?.start ?? start);
  }

  /** Called when another stream has come to `time`: cues that have long ended are handed on. */
  advanceTo(time: number): void {
    if (time > this.#reachedMs) this.#reachedMs = time;
    while (time >= this.#deadline) {
      const end = this.#groupEnd();
      this.#deadline = end + latenessLimit;
      if (time < this.#deadline) return;
      this.#write(end);
    }
  }

  /** Hands on the rest. A cue without a duration ends with the other streams. */
  end(): void {
    const reachedMs = Math.round(this.#reachedMs);
    for (const cue of this.#pending)
      if (cue.isOpenEnded && cue.start < reachedMs) cue.end = Math.min(cue.end, reachedMs);
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
      this.#writtenEnd = end;
    });
    for (const cue of this.#pending) {
      if (cue.end <= limit && !cue.isStarted) this.#tally.addMissing();
    }
    this.#pending = this.#pending.filter(({ end }) => end > limit);
    for (const cue of this.#pending) cue.start = Math.max(cue.start, this.#writtenEnd);
    this.#deadline = Math.min(...this.#pending.map(({ end }) => end + latenessLimit));
  }

  #begin(cue: PendingCue, start: number): void {
    if (cue.isStarted) return;
    cue.isStarted = true;
    const late = start > Math.max(cue.begin, earliestStart);
    if (late) this.#tally.addLoss('unordered');
    this.#tally.addShown(start / 1000, start > cue.begin + earliestStart);
  }
}
