import { MillraceApiError, MillraceNetworkError, MillraceRenderError } from '../../errors.ts';
import { backoff, pause } from '../../http/backoff.ts';

/** Why and how long the items of a batch wait. */
export interface BatchWait {
  /** `busy`: the service is busy, or a limit holds. `offline`: the device has no connection. */
  readonly reason: 'busy' | 'offline';
  /** Time of the next attempt, in milliseconds since 1970. */
  readonly until: number;
  /** The error of the call that is repeated then. */
  readonly error: unknown;
}

/** The calls of an item through the gate. */
export interface GatedItem {
  /** Resolves when the gate is open. Throws the reason of the signal if it aborts. */
  whenOpen(): Promise<void>;
  /**
   * Runs an action when the gate is open. If the service is busy, closes the gate for as long as the service states,
   * and then runs the action again.
   *
   * @throws the error of the action if it has another cause, or if the waits of the item become too long; the reason of
   * the signal.
   */
  run<Result>(action: () => Promise<Result>): Promise<Result>;
}

/** Holds back the calls of a batch while the service is busy. */
export interface CapacityGate {
  /** Undefined while the gate is open. */
  readonly wait: BatchWait | undefined;
  /**
   * Opens the gate to the calls of an item. The signal ends its waits.
   *
   * @param onWait Called when the item waits, and with undefined when it continues.
   */
  forItem(signal: AbortSignal, onWait: (wait: BatchWait | undefined) => void): GatedItem;
}

/** Codes of failures that end by themselves when the service has less to do. */
const busyCodes: readonly string[] = ['rate_limited', 'at_capacity', 'service_unavailable'];

/** Milliseconds between the attempts of a device without a connection. */
const OFFLINE_PAUSE_MS = 5_000;

/**
 * Creates a gate for the calls of one batch.
 *
 * @param maxWait Maximum total wait of an item for its own calls, in milliseconds.
 * @param whenResumed Resolves when the batch is not paused: until then, a closed gate stays closed.
 */
export function createCapacityGate(maxWait: number, whenResumed: () => Promise<void>): CapacityGate {
  let wait: BatchWait | undefined;
  let opening: Promise<void> = Promise.resolve();

  function close(next: BatchWait, delay: number, signal: AbortSignal): void {
    if (wait === undefined || next.until > wait.until) wait = next;
    const opened = Promise.all([opening, pause(delay, signal)]).then(async () => {
      await whenResumed();
      // Otherwise, another call has closed the gate in the meantime.
      if (opening === opened) wait = undefined;
    });
    opening = opened;
  }

  return {
    get wait() {
      return wait;
    },
    forItem(signal, onWait) {
      let waited = 0;
      let attempt = 0;

      async function whenOpen(): Promise<void> {
        const mustWait = wait !== undefined;
        while (wait !== undefined) {
          onWait(wait);
          await opening;
        }
        signal.throwIfAborted();
        if (mustWait) onWait(undefined);
      }

      return {
        whenOpen,
        async run(action) {
          for (;;) {
            await whenOpen();
            try {
              return await action();
            } catch (error) {
              const { reason, delay } = delayAfter(error, attempt) ?? {};
              if (reason === undefined || delay === undefined || waited + delay > maxWait) throw error;
              attempt += 1;
              waited += delay;
              close({ reason, until: Date.now() + delay, error }, delay, signal);
            }
          }
        },
      };
    },
  };
}

/** Returns why and how many milliseconds to wait before a call can succeed. Returns undefined if no wait helps. */
function delayAfter(
  error: unknown,
  attempt: number,
): { readonly reason: BatchWait['reason']; readonly delay: number } | undefined {
  if (error instanceof MillraceNetworkError) {
    return isOffline() ? { reason: 'offline', delay: OFFLINE_PAUSE_MS } : undefined;
  }
  const isKnown = error instanceof MillraceApiError || error instanceof MillraceRenderError;
  if (!isKnown || !busyCodes.includes(error.code)) return undefined;
  const { retryAfter = 0 } = error instanceof MillraceApiError ? error : {};
  return { reason: 'busy', delay: Math.max(retryAfter * 1_000, backoff(attempt)) };
}

/** Whether the browser states that the device has no connection. Other runtimes do not know. */
function isOffline(): boolean {
  const { navigator } = globalThis as { readonly navigator?: { readonly onLine?: boolean } };
  return navigator?.onLine === false;
}
