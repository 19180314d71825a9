import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits for the given time.
 *
 * @param signal Ends the wait early.
 * @param options `ref: false` for a wait that does not keep the process alive.
 * @throws The signal's reason unchanged, such as a timeout or a cancellation. Node's own promise rejects with an
 * `AbortError` instead, which callers would see as `unexpected_error`.
 */
export async function sleep(
  milliseconds: number,
  signal?: AbortSignal,
  options: { readonly ref?: boolean } = {},
): Promise<void> {
  try {
    await delay(milliseconds, undefined, signal === undefined ? options : { ...options, signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
