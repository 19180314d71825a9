import { decline } from '../binary/fast-path-declined.ts';

/** Maximum number of samples of all tracks of a file: eleven hours at 60 frames per second with audio. */
export const maxSamples = 5_000_000;

/** The time range that a track plays, in its own ticks, relative to the decoding time of its first sample. */
interface Extent {
  /** Presentation time of the earliest frame. */
  readonly first: number;
  /** End of the last frame in presentation order. */
  readonly end: number;
}

/** The samples of one track in decoding order: their bytes and their times. */
export class SampleList {
  /** Decoding time of the first sample, in ticks. */
  start = 0;
  /** Number of samples. */
  count = 0;
  /** Offset of each sample in its file. */
  offsets = new Float64Array(0);
  /** Size of each sample in bytes. */
  sizes = new Uint32Array(0);
  /** Ticks until the next sample is decoded. */
  durations = new Uint32Array(0);
  /** Ticks from decoding to presentation. */
  compositions = new Int32Array(0);
  /** 1 if decoding can begin at the sample. */
  sync = new Uint8Array(0);
  /** Total duration of all samples, in ticks. */
  ticks = 0;
  readonly #limit: number;

  /** Creates a list of at most `limit` samples. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Reserves space for more samples.
   *
   * @throws FastPathDeclined if there are too many.
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

  /** Removes all samples, and releases their memory at once, not when garbage is collected. */
  release(): void {
    const { offsets, sizes, durations, compositions, sync } = this;
    for (const { buffer } of [offsets, sizes, durations, compositions, sync]) buffer.transfer(0);
    this.count = 0;
  }

  /** Adds a sample to reserved space. */
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

  /** Changes the duration of the last sample so that the next one is decoded at `time`. */
  endAt(time: number): void {
    const last = this.count - 1;
    const change = time - (this.start + this.ticks);
    const duration = (this.durations[last] ?? 0) + change;
    if (duration > 0xffff_ffff) decline('one of its samples lasts too long');
    this.durations[last] = duration;
    this.ticks += change;
  }

  /** Returns the samples from index `from` to before index `to`, at their own times. */
  slice(from: number, to: number): SampleList {
    const slice = new SampleList(to - from);
    slice.offsets = this.offsets.slice(from, to);
    slice.sizes = this.sizes.slice(from, to);
    slice.durations = this.durations.slice(from, to);
    slice.compositions = this.compositions.slice(from, to);
    slice.sync = this.sync.slice(from, to);
    slice.count = to - from;
    slice.start = this.start;
    for (let at = 0; at < from; at += 1) slice.start += this.durations[at] ?? 0;
    for (const duration of slice.durations) slice.ticks += duration;
    return slice;
  }

  /** Returns when the samples are presented. */
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
   * Verifies that a file can contain these samples.
   *
   * @param size - size in bytes of the file that contains them.
   * @throws FastPathDeclined if bytes are outside the file or used twice, or times do not increase.
   */
  verify(size: number): void {
    if (this.count === 0) decline('one of its tracks has no samples');
    let sum = 0;
    for (let at = 0; at < this.count; at += 1) {
      const bytes = this.sizes[at] ?? 0;
      const offset = this.offsets[at] ?? 0;
      if (bytes === 0) decline('one of its samples is empty');
      if (offset + bytes > size || offset < 0) decline('one of its samples is outside the file');
      if (this.durations[at] === 0 && at < this.count - 1) decline('one of its samples has no duration');
      sum += bytes;
    }
    if (sum > size) decline('its samples have more bytes than the file');
  }
}

function enlarge<Numbers extends { set(from: Numbers): void }>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
