import { untilAborted } from '../../../waiting/until-aborted.ts';

/** Work that concurrent callers share: a single-flight without keys and time limits. */
export interface SharedWork<Result> {
  /**
   * Waits for the work, and starts it if it is not running. The work is aborted when its last caller leaves.
   *
   * @param signal Aborted when this caller leaves.
   * @throws The error of the work; the signal's reason.
   */
  join(start: (signal: AbortSignal) => Promise<Result>, signal: AbortSignal): Promise<Result>;
}

interface RunningWork<Result> {
  readonly result: Promise<Result>;
  readonly abort: AbortController;
  callers: number;
}

/** Creates work that is not running. */
export function createSharedWork<Result>(): SharedWork<Result> {
  let running: RunningWork<Result> | undefined;

  function begin(start: (signal: AbortSignal) => Promise<Result>): RunningWork<Result> {
    const abort = new AbortController();
    const work: RunningWork<Result> = { result: start(abort.signal), abort, callers: 0 };
    const onEnd = () => {
      if (running === work) running = undefined;
    };
    work.result.then(onEnd, onEnd);
    return work;
  }

  return {
    async join(start, signal) {
      signal.throwIfAborted();
      running ??= begin(start);
      const work = running;
      work.callers += 1;
      try {
        return await untilAborted(work.result, signal);
      } finally {
        work.callers -= 1;
        if (work.callers === 0) {
          // This has no effect on work that has ended.
          work.abort.abort(signal.reason);
          if (running === work) running = undefined;
        }
      }
    },
  };
}
