import { decline } from '../binary/fast-path-declined.ts';

/** Samples of all tracks of a file, at most: eleven hours of 60 frames a second with sound. */
export const maxSamples = 5_000_000;

/** When a track plays, in its own ticks, counted from the decoding time of its first sample. */
interface Extent {
  /** When its earliest frame is shown. */
  readonly first: number;
  /** When the last shown frame ends. */
  readonly end: number;
}

/** The samples of one track in decoding order: where their bytes are, and when they are for. */
export class SampleList {
  /** Decoding time of the first sample, in ticks. */
  start = 0;
  /** Number of samples. */
  count = 0;
  /** Position of each sample in its file. */
  offsets = new Float64Array(0);
  /** Bytes of each sample. */
  sizes = new Uint32Array(0);
  /** Ticks to the next sample's decoding. */
  durations = new Uint32Array(0);
  /** Ticks from decoding to showing. */
  compositions = new Int32Array(0);
  /** 1 where decoding can begin. */
  sync = new Uint8Array(0);
  /** Ticks of all samples together. */
  ticks = 0;
  readonly #limit: number;

  /** A list of at most `limit` samples. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Makes room for more samples.
   *
   * @throws FastPathDeclined when they are too many.
   */
  reserve(more: number): void {
    const requiredCount = this.count + more;
    if (requiredCount > this.#limit) decline('one of its tracks has too many samples');
    if (requiredCount <= this.sizes.length) return;
    const room = Math.max(requiredCount, Math.min(this.#limit, 2 * this.sizes.length));
    this.offsets = enlarge(this.offsets, new Float64Array(room));
    this.sizes = enlarge(this.sizes, new Uint32Array(room));
    this.durations = enlarge(this.durations, new Uint32Array(room));
    this.compositions = enlarge(this.compositions, new Int32Array(room));
    this.sync = enlarge(this.sync, new Uint8Array(room));
  }

  /** Adds a sample, for which room was made. */
  add(offset: number, size: number, duration: number, composition: number, sync: boolean): void {
    const at = this.count;
    this.offsets[at] = offset;
    this.sizes[at] = size;
    this.durations[at] = duration;
    this.compositions[at] = composition;
    this.sync[at] = sync ? 1 : 0;
    this.ticks += duration;
    this.count = at + 1;
  }

  /** Makes the last sample last longer or shorter, so that the next one is decoded at `time`. */
  endAt(time: number): void {
    const last = this.count - 1;
    const change = time - (this.start + this.ticks);
    const duration = (this.durations[last] ?? 0) + change;
    if (duration > 0xffff_ffff) decline('one of its samples lasts too long');
    this.durations[last] = duration;
    this.ticks += change;
  }

  /** When the samples are shown. */
  extent(): Extent {
    let [time, first, end] = [0, Number.POSITIVE_INFINITY, 0];
    for (let at = 0; at < this.count; at += 1) {
      const presentationTime = time + (this.compositions[at] ?? 0);
      const duration = this.durations[at] ?? 0;
      if (presentationTime < first) first = presentationTime;
      if (presentationTime + duration > end) end = presentationTime + duration;
      time += duration;
    }
    return { first, end };
  }

  /**
   * Holds the samples against what a file can be.
   *
   * @param size - bytes of the file they are in.
   * @throws FastPathDeclined when bytes are outside the file or used twice, or times do not rise.
   */
  verify(size: number): void {
    if (this.count === 0) decline('one of its tracks has no samples');
    let sum = 0;
    for (let at = 0; at < this.count; at += 1) {
      const bytes = this.sizes[at] ?? 0;
      const offset = this.offsets[at] ?? 0;
      if (bytes === 0) decline('one of its samples is empty');
      if (offset + bytes > size || offset < 0) decline('one of its samples lies outside the file');
      if (this.durations[at] === 0 && at < this.count - 1) decline('one of its samples takes no time');
      sum += bytes;
    }
    if (sum > size) decline('its samples have more bytes than the file');
  }
}

function enlarge<Numbers extends { set(from: Numbers): void }>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
