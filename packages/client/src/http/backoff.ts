/**
 * Waits.
 *
 * @throws the reason of the signal if it aborts.
 */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 15_000;

/**
 * Returns the milliseconds to wait before the next attempt. The delay is exponential, and up to half of it is random,
 * so that clients do not retry in step.
 */
export function backoff(attempt: number, random: () => number = Math.random): number {
  const limit = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
  return limit * (0.5 + random() / 2);
}
