/**
 * Runs work for one item at a time, in the order of the items.
 *
 * @throws The error of the work.
 */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Runs work for each item, up to `concurrency` at once. Items are read only when their work can start. After an error,
 * no further work starts.
 *
 * @param work Called with the item and a function that runs a part of the work in the order of the items.
 * @throws The first error of the work or of the iteration, after all running work has ended.
 */
export async function runInOrder<Item>(
  items: AsyncIterable<Item>,
  concurrency: number,
  signal: AbortSignal,
  work: (item: Item, inTurn: InTurn) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  let lastTurn = Promise.resolve();
  let failed = false;

  /** Reserves the next turn. */
  function takeTurn() {
    const earlier = lastTurn;
    const { promise, resolve: end } = Promise.withResolvers<void>();
    lastTurn = earlier.then(() => promise);
    const inTurn: InTurn = async (part) => {
      await earlier;
      return await part().finally(end);
    };
    return { inTurn, end };
  }

  async function runSome(): Promise<void> {
    while (!failed && !signal.aborted) {
      const next = await iterator.next();
      if (next.done === true) return;
      const { inTurn, end } = takeTurn();
      await work(next.value, inTurn).finally(end);
    }
  }

  const ended = await Promise.allSettled(
    Array.from({ length: concurrency }, () =>
      runSome().catch((error: unknown) => {
        failed = true;
        throw error;
      }),
    ),
  );
  await iterator.return?.();
  for (const result of ended) if (result.status === 'rejected') throw result.reason;
}
