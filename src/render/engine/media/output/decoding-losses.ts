/** Seconds that may be lost at a stretch, and in total; more in total only up to a share of the stream. */
const tolerance = { stretch: 1, total: 1, share: 0.02 } as const;

/** What could not be decoded of a stream, in seconds. */
export class DecodingLosses {
  /** Seconds of all packets. */
  totalSeconds = 0;
  /** Seconds of the packets that could not be decoded. */
  lostSeconds = 0;
  /** Packets that may fail without being damaged: what precedes the first key frame refers to frames that are not there. */
  #leading = 0;
  #independent: boolean;
  #last = 0;
  #currentStretch = 0;
  #longestStretch = 0;

  /** @param independent - whether every packet can be decoded by itself, as those of audio can. */
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

  /** Whether more was lost at a stretch than viewers overlook. */
  get tooLong(): boolean {
    return this.#longestStretch > tolerance.stretch;
  }

  /** The same in total. */
  get tooMuch(): boolean {
    return this.lostSeconds > tolerance.total && this.lostSeconds > this.totalSeconds * tolerance.share;
  }

  /** How much was lost, such as `1.8 s of 4.0 s`. */
  toString(): string {
    return `${this.lostSeconds < 0.1 ? 'less than 0.1' : this.lostSeconds.toFixed(1)} s of ${this.totalSeconds.toFixed(1)} s`;
  }
}
