/** Maximum loss in seconds, consecutively and in total. A higher total is allowed up to a fraction of the stream. */
const tolerance = { stretch: 1, total: 1, share: 0.02 } as const;

/** Whether a single loss of so many seconds is one that viewers would notice. */
export function isTooLong(seconds: number): boolean {
  return seconds > tolerance.stretch;
}

/** Whether a total loss is so large that viewers would notice it. Both are in seconds. */
export function isTooMuch(lostSeconds: number, totalSeconds: number): boolean {
  return lostSeconds > tolerance.total && lostSeconds > totalSeconds * tolerance.share;
}

/** Formats a loss in seconds, such as `1.8 s`. */
export function formatLoss(seconds: number): string {
  return seconds < 0.1 ? 'less than 0.1 s' : `${seconds.toFixed(1)} s`;
}

/** Measures how much of a stream could not be decoded, in seconds. */
export class DecodingLosses {
  /** Total duration of all packets, in seconds. */
  totalSeconds = 0;
  /** Duration of the packets that could not be decoded, in seconds. */
  lostSeconds = 0;
  /**
   * Number of packets that may fail without being damaged. Packets before the first keyframe refer to missing frames.
   */
  #leading = 0;
  #independent: boolean;
  #last = 0;
  #currentStretch = 0;
  #longestStretch = 0;

  /** @param independent - whether every packet can be decoded by itself, as in audio. */
  constructor(independent: boolean) {
    this.#independent = independent;
  }

  /** Counts a packet before it is decoded. */
  addPacket(seconds: number, isKey: () => boolean): void {
    this.totalSeconds += seconds;
    this.#last = seconds;
    if (this.#independent) return;
    this.#independent = isKey();
    if (!this.#independent) this.#leading += 1;
  }

  /** Counts a packet that could not be decoded. */
  addFailure(): void {
    if (this.#leading > 0) {
      this.#leading -= 1;
      return;
    }
    this.lostSeconds += this.#last;
    this.#currentStretch += this.#last;
    this.#longestStretch = Math.max(this.#longestStretch, this.#currentStretch);
  }

  /** Counts a frame. */
  addFrame(): void {
    this.#leading = 0;
    this.#currentStretch = 0;
  }

  /** Adds the losses of a later part of the stream. */
  add({ totalSeconds, lostSeconds }: DecodingLosses): void {
    this.totalSeconds += totalSeconds;
    this.lostSeconds += lostSeconds;
  }

  /** Whether a single loss is so long that viewers would notice it. */
  get tooLong(): boolean {
    return isTooLong(this.#longestStretch);
  }

  /** Whether the total loss is so large that viewers would notice it. */
  get tooMuch(): boolean {
    return isTooMuch(this.lostSeconds, this.totalSeconds);
  }

  /** Formats the loss, such as `1.8 s of 4.0 s`. */
  toString(): string {
    return `${formatLoss(this.lostSeconds)} of ${this.totalSeconds.toFixed(1)} s`;
  }
}
