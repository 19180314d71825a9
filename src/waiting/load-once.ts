/**
 * Returns a function that loads something at its first call, and returns it from then on. After a failure, such as too
 * many open files, the next call loads it again.
 */
export function loadOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let pending: Promise<Value> | undefined;
  return () => {
    pending ??= load().catch((error: unknown) => {
      pending = undefined;
      throw error;
    });
    return pending;
  };
}
