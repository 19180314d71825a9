/** Milliseconds between two heartbeats of a limit, and by which a beat is usually late. A later one shows a stall. */
const BEAT_MS = 25;
const USUAL_DELAY_MS = 10;

/** A limit ends at the latest after this many times its length, however little the process could run. */
const MAX_STRETCH = 2;

/**
 * A time limit for the work of others, such as a site. Time in which this process could not run, because it or the
 * machine was busy, does not count: a response that has arrived in the meantime is not late.
 */
export interface TimeLimit {
  /** Aborted when the time is up, with a `TimeoutError` as its reason. */
  readonly signal: AbortSignal;
  /** Returns the milliseconds that are left, 0 when the time is up. */
  left(): number;
  /** Ends the limit early. Every limit must be ended. */
  end(): void;
}

/** Starts a time limit. */
export function startTimeLimit(milliseconds: number): TimeLimit {
  const controller = new AbortController();
  const began = performance.now();
  let lastBeat = began;
  let stalled = 0;

  const lateness = () => Math.max(0, performance.now() - lastBeat - BEAT_MS - USUAL_DELAY_MS);
  const left = () => {
    const wall = performance.now() - began;
    const counted = Math.max(wall - stalled - lateness(), wall / MAX_STRETCH);
    return Math.max(0, milliseconds - counted);
  };
  const beat = () => {
    stalled += lateness();
    lastBeat = performance.now();
    const rest = left();
    if (rest > 0) timer = setTimeout(beat, Math.min(BEAT_MS, Math.ceil(rest)));
    else controller.abort(new DOMException(`The time limit of ${milliseconds} ms is over.`, 'TimeoutError'));
  };
  let timer = setTimeout(beat, Math.min(BEAT_MS, milliseconds));
  return { signal: controller.signal, left, end: () => clearTimeout(timer) };
}
