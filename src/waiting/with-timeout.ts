/** Thrown if work takes longer than its timeout. */
class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/**
 * Waits for work that cannot be cancelled, up to a timeout.
 *
 * @throws The error of the work; TimeoutError when it takes longer than `milliseconds`. The work itself continues.
 */
export async function withTimeout<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new TimeoutError(`it took longer than ${milliseconds / 1_000} s`)),
    milliseconds,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
