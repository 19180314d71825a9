/** Milliseconds between two heartbeats of the process, and by which a beat is usually late. */
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
  const endBeats = beats.begin();
  const stalledBefore = beats.stalled();
  let timer: NodeJS.Timeout;

  const left = () => {
    const wall = performance.now() - began;
    const counted = Math.max(wall - (beats.stalled() - stalledBefore), wall / MAX_STRETCH);
    return Math.max(0, milliseconds - counted);
  };
  const check = () => {
    const rest = left();
    if (rest > 0) {
      timer = setTimeout(check, Math.ceil(rest));
      return;
    }
    endBeats();
    controller.abort(new DOMException(`The time limit of ${milliseconds} ms is over.`, 'TimeoutError'));
  };
  timer = setTimeout(check, milliseconds);
  return {
    signal: controller.signal,
    left,
    end() {
      clearTimeout(timer);
      endBeats();
    },
  };
}

/** The heartbeats of this process, which run while there is a time limit. A beat that is late shows a stall. */
const beats = createBeats();

function createBeats() {
  let users = 0;
  let timer: NodeJS.Timeout | undefined;
  let lastBeat = 0;
  let stalled = 0;
  const lateness = () =>
    timer === undefined ? 0 : Math.max(0, performance.now() - lastBeat - BEAT_MS - USUAL_DELAY_MS);

  const beat = () => {
    stalled += lateness();
    lastBeat = performance.now();
  };
  return {
    /** Starts the heartbeats, unless they run. Returns the function that ends this use of them. */
    begin(): () => void {
      users += 1;
      if (timer === undefined) {
        lastBeat = performance.now();
        timer = setInterval(beat, BEAT_MS);
        timer.unref();
      }
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        users -= 1;
        if (users > 0) return;
        beat();
        clearInterval(timer);
        timer = undefined;
      };
    },
    /** Returns the milliseconds in which the process could not run. Only differences have a meaning. */
    stalled: () => stalled + lateness(),
  };
}
