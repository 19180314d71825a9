/** The longest delay of a timer; a longer one fires immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A time limit, combined with signals that may abort earlier. */
export interface Deadline {
  /** Aborts with any of the signals, or when the time limit expires. */
  readonly signal: AbortSignal;
  /** Whether the time limit has expired. */
  readonly expired: boolean;
  /** Restarts the timer from zero. */
  reset(): void;
  /** Stops the timer until {@link reset}, during waits that the other side does not cause. */
  suspend(): void;
  /** Releases the timer and the listeners. */
  close(): void;
}

/**
 * Starts a deadline. The caller closes it. (AbortSignal.any leaks listeners on a long-lived signal:
 * https://github.com/nodejs/node/issues/54614, seen in Node 20 and 22.)
 *
 * @param limit Milliseconds; `Infinity` for no limit.
 */
export function startDeadline(limit: number, signals: readonly (AbortSignal | undefined)[] = []): Deadline {
  const controller = new AbortController();
  let expired = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners = signals
    .filter((signal) => signal !== undefined)
    .map((signal) => ({ signal, onAbort: () => abort(signal) }));

  function abort(signal: AbortSignal): void {
    controller.abort(signal.reason);
  }
  function close(): void {
    clearTimeout(timer);
    for (const { signal, onAbort } of listeners) signal.removeEventListener('abort', onAbort);
  }
  function reset(): void {
    clearTimeout(timer);
    if (limit === Number.POSITIVE_INFINITY || controller.signal.aborted) return;
    timer = setTimeout(
      () => {
        expired = true;
        controller.abort(new DOMException('The time limit has expired.', 'TimeoutError'));
      },
      Math.min(limit, MAX_TIMER_MS),
    );
  }

  for (const { signal, onAbort } of listeners) {
    if (signal.aborted) abort(signal);
    else signal.addEventListener('abort', onAbort, { once: true });
  }
  reset();
  return {
    signal: controller.signal,
    get expired() {
      return expired;
    },
    reset,
    suspend: () => clearTimeout(timer),
    close,
  };
}
