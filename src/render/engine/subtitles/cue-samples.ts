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
  /** Whether its end is only a limit, because its source does not declare an end. */
  isOpenEnded: boolean;
  readonly data: Buffer;
  isStarted: boolean;
}

/** Maximum display time of a cue without a duration if nothing follows it, in milliseconds. */
const openCueLimit = 10_000;
/** Maximum delay of a cue after the other streams have passed its time, in milliseconds. */
const latenessLimit = 2000;
/** Maximum number of cues that are displayed simultaneously. A screen has space for far fewer. */
const maxAtOnce = 32;
/** Maximum number of buffered cues. Several may end in the same sample. */
const maxPending = 64;
/** Earliest start of the first cue: the muxer begins each track with an empty sample, which must have a duration. */
const earliestStart = 1;

/**
 * Converts cues, which may overlap, to samples of MP4 timed text, of which only one is displayed at a time (3GPP TS
 * 26.245). If cues overlap, a sample contains the text of all displayed cues, as ISO/IEC 14496-30 defines for WebVTT.
 * Cues that touch or overlap are written together, so that the muxer puts no empty sample between them.
 */
export class CueSamples {
  readonly #take: (sample: CueSample) => void;
  readonly #tally: CueTally;
  /** Ordered by start time. */
  #pending: PendingCue[] = [];
  /** End of the last sample. */
  #writtenEnd = earliestStart;
  /** Time that the other streams have reached. */
  #reachedMs = Number.NEGATIVE_INFINITY;
  /** Time from which {@link advanceTo} has work to do. */
  #deadline = Number.POSITIVE_INFINITY;

  constructor(tally: CueTally, take: (sample: CueSample) => void) {
    this.#tally = tally;
    this.#take = take;
  }

  /** Adds a cue, or a pause, which ends the previous cues. A duration of 0 means that the next cue ends it. */
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

  /** Called when another stream has reached `time`. Writes cues that ended long before that time. */
  advanceTo(time: number): void {
    if (time > this.#reachedMs) this.#reachedMs = time;
    while (time >= this.#deadline) {
      const end = this.#groupEnd();
      this.#deadline = end + latenessLimit;
      if (time < this.#deadline) return;
      this.#write(end);
    }
  }

  /** Writes the remaining cues. A cue without a duration ends with the other streams. */
  end(): void {
    const reachedMs = Math.round(this.#reachedMs);
    for (const cue of this.#pending)
      if (cue.isOpenEnded && cue.start < reachedMs) cue.end = Math.min(cue.end, reachedMs);
    this.#write(Number.POSITIVE_INFINITY);
  }

  /** Returns the end of the first group of cues that touch or overlap. */
  #groupEnd(): number {
    let end = Number.NEGATIVE_INFINITY;
    for (const cue of this.#pending) {
      if (end !== Number.NEGATIVE_INFINITY && cue.start > end) break;
      end = Math.max(end, cue.end);
    }
    return end;
  }

  /** Writes everything that is displayed before `limit`. */
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
