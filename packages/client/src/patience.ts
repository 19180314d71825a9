/** Timers know nothing longer, and end at once where it is asked for. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A limit of time beside the signals that may end something earlier. */
export interface Patience {
  /** Aborted by any of the signals, and at the end of the time. */
  readonly signal: AbortSignal;
  /** Whether it was the time that ended it. */
  readonly expired: boolean;
  /** Begins the time anew. */
  renew(): void;
  /** Stops the time until it is begun anew: it is somebody else's turn. */
  rest(): void;
  /** Lets go of the timer and of the signals. */
  close(): void;
}

/**
 * Opens a limit of time. Whoever opens it closes it. (AbortSignal.any would do, but keeps what listens to a long-lived
 * signal: https://github.com/nodejs/node/issues/54614, seen in Node 20 and 22.)
 *
 * @param limit Milliseconds; `Infinity` for no limit.
 */
export function openPatience(limit: number, signals: readonly (AbortSignal | undefined)[] = []): Patience {
  const controller = new AbortController();
  let expired = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listening = signals
    .filter((signal) => signal !== undefined)
    .map((signal) => ({ signal, end: () => give(signal) }));

  function give(signal: AbortSignal): void {
    controller.abort(signal.reason);
  }
  function stop(): void {
    clearTimeout(timer);
    for (const { signal, end } of listening) signal.removeEventListener('abort', end);
  }
  function renew(): void {
    clearTimeout(timer);
    if (limit === Number.POSITIVE_INFINITY || controller.signal.aborted) return;
    timer = setTimeout(
      () => {
        expired = true;
        controller.abort(new DOMException('The time is over.', 'TimeoutError'));
      },
      Math.min(limit, LONGEST_TIMER_MS),
    );
  }

  for (const { signal, end } of listening) {
    if (signal.aborted) give(signal);
    else signal.addEventListener('abort', end, { once: true });
  }
  renew();
  return {
    signal: controller.signal,
    get expired() {
      return expired;
    },
    renew,
    rest: () => clearTimeout(timer),
    close: stop,
  };
}

/** Waits, unless a signal ends it: its reason is thrown. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

/**
 * Milliseconds before the next attempt: they double with each, half of them by chance, so that callers do not return
 * together.
 */
export function backoff(attempt: number, random: () => number = Math.random): number {
  const most = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
  return most * (0.5 + random() / 2);
}
