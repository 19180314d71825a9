/** Seconds that may be lost at a stretch, and in total; more in total only up to a share of the stream. */
const mayLose = { stretch: 1, total: 1, share: 0.02 } as const;

/** What could not be decoded of a stream, in seconds. */
export class Losses {
  /** Seconds of all packets. */
  total = 0;
  /** Seconds of the packets that could not be decoded. */
  lost = 0;
  /** Packets that may fail without being damaged: what precedes the first key frame refers to frames that are not there. */
  #leading = 0;
  #keyed: boolean;
  #last = 0;
  #stretch = 0;
  #longest = 0;

  /** @param keyed - whether every packet can be decoded by itself, as those of audio can. */
  constructor(keyed: boolean) {
    this.#keyed = keyed;
  }

  /** Counts a packet before it is decoded. */
  sent(seconds: number, isKey: () => boolean): void {
    this.total += seconds;
    this.#last = seconds;
    if (this.#keyed) return;
    this.#keyed = isKey();
    if (!this.#keyed) this.#leading += 1;
  }

  /** Counts a packet that could not be decoded. */
  failed(): void {
    if (this.#leading > 0) {
      this.#leading -= 1;
      return;
    }
    this.lost += this.#last;
    this.#stretch += this.#last;
    this.#longest = Math.max(this.#longest, this.#stretch);
  }

  /** Counts a frame. */
  decoded(): void {
    this.#leading = 0;
    this.#stretch = 0;
  }

  /** Adds the losses of a later part of the stream. */
  add({ total, lost }: Losses): void {
    this.total += total;
    this.lost += lost;
  }

  /** Whether more was lost at a stretch than viewers overlook. */
  get tooLong(): boolean {
    return this.#longest > mayLose.stretch;
  }

  /** The same in total. */
  get tooMuch(): boolean {
    return this.lost > mayLose.total && this.lost > this.total * mayLose.share;
  }

  /** How much was lost, such as `1.8 s of 4.0 s`. */
  toString(): string {
    return `${this.lost < 0.1 ? 'less than 0.1' : this.lost.toFixed(1)} s of ${this.total.toFixed(1)} s`;
  }
}
