/**
 * Repeats a batch of up to `size` rows until a batch is not full, the time limit is reached, or the signal is aborted.
 * Other statements run in between, so a backlog blocks nothing.
 *
 * @param batch Returns the number of rows that it has processed.
 */
export async function runInBatches(
  { size, maxMs, signal }: { readonly size: number; readonly maxMs: number; readonly signal: AbortSignal },
  batch: (size: number) => Promise<number>,
): Promise<void> {
  const end = performance.now() + maxMs;
  while (!signal.aborted && performance.now() < end) {
    if ((await batch(size)) < size) return;
  }
}
