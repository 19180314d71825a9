/** Arrival times of the events of many streams. */
export class Arrivals {
  readonly #times: Float64Array;
  readonly #counts: Uint32Array;
  readonly #most: number;

  /** Stores up to `maxEvents` events of each stream. */
  constructor(streams: number, maxEvents: number) {
    this.#times = new Float64Array(streams * maxEvents);
    this.#counts = new Uint32Array(streams);
    this.#most = maxEvents;
  }

  add(stream: number, at: number): void {
    const count = this.#counts[stream] ?? 0;
    if (count === this.#most) return;
    this.#times[stream * this.#most + count] = at;
    this.#counts[stream] = count + 1;
  }

  count(stream: number): number {
    return this.#counts[stream] ?? 0;
  }

  /** Removes all arrival times. */
  clear(): void {
    this.#counts.fill(0);
  }

  timesOf(stream: number): Float64Array {
    const from = stream * this.#most;
    return this.#times.subarray(from, from + this.count(stream));
  }
}

/** Lateness of streams that send one event per interval, in milliseconds. */
export interface Punctuality {
  readonly events: number;
  readonly median: number;
  readonly p99: number;
  readonly worst: number;
  /** Number of due events that did not arrive. */
  readonly missing: number;
}

/**
 * Measures lateness against a timetable with one event per interval, in which no event of a stream is early and at
 * least one is on time. A skipped event makes all later events late, and so does a clock that runs slow.
 */
export function punctuality(arrivals: Arrivals, streams: number, interval: number, until: number): Punctuality {
  const all = Array.from({ length: streams }, (_, stream) => latenessOf(arrivals.timesOf(stream), interval));
  const lateness = new Float64Array(all.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  let missing = 0;
  for (const [stream, some] of all.entries()) {
    lateness.set(some, at);
    at += some.length;
    missing += missingOf(arrivals.timesOf(stream), some, interval, until);
  }
  lateness.sort();
  const share = (part: number) => lateness[Math.max(0, Math.ceil(lateness.length * part) - 1)] ?? Number.NaN;
  return { events: lateness.length, median: share(0.5), p99: share(0.99), worst: share(1), missing };
}

function latenessOf(times: Float64Array, interval: number): Float64Array {
  const offsets = times.map((time, index) => time - index * interval);
  const earliest = offsets.reduce((least, offset) => Math.min(least, offset), Number.POSITIVE_INFINITY);
  return offsets.map((offset) => offset - earliest);
}

/** Returns the number of events that were due by the time `until`, minus those that arrived. */
function missingOf(times: Float64Array, lateness: Float64Array, interval: number, until: number): number {
  const [first] = times;
  const [late] = lateness;
  if (first === undefined || late === undefined) return Math.floor(until / interval);
  const due = Math.floor((until - (first - late)) / interval) + 1;
  return Math.max(0, due - times.length);
}
