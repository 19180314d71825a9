/** Maximum number of slots of one job, and of all jobs. */
interface SlotLimits {
  readonly job: number;
  readonly all: number;
}

const limits: SlotLimits = { job: 2, all: 6 };

/** A download that waits for a slot. */
interface Waiting {
  readonly job: object;
  readonly start: () => void;
}

/** Slots of decoders that need much memory, which they keep while their servers are silent. */
export interface DecoderSlots {
  /**
   * Waits for a slot of a job, which any object may identify. Returns the function that leaves the slot.
   *
   * @throws The signal's reason.
   */
  acquire(job: object, signal: AbortSignal): Promise<() => void>;
}

/** Creates slots, which go to the downloads that wait the longest. */
export function createDecoderSlots({ job: mostOfJob, all: most } = limits): DecoderSlots {
  const used = new Map<object, number>();
  const waiting: Waiting[] = [];

  const usedByAll = () => used.values().reduce((sum, count) => sum + count, 0);
  function startNext(): void {
    for (const next of waiting.slice()) {
      const count = used.get(next.job) ?? 0;
      if (usedByAll() >= most) return;
      if (count >= mostOfJob) continue;
      used.set(next.job, count + 1);
      waiting.splice(waiting.indexOf(next), 1);
      next.start();
    }
  }
  function leave(job: object): void {
    const count = (used.get(job) ?? 0) - 1;
    if (count > 0) used.set(job, count);
    else used.delete(job);
    startNext();
  }

  return {
    async acquire(job, signal) {
      signal.throwIfAborted();
      const started = Promise.withResolvers<undefined>();
      const entry: Waiting = { job, start: () => started.resolve(undefined) };
      const onAbort = () => {
        const at = waiting.indexOf(entry);
        if (at < 0) return;
        waiting.splice(at, 1);
        started.reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort);
      waiting.push(entry);
      startNext();
      await started.promise.finally(() => signal.removeEventListener('abort', onAbort));
      return () => leave(job);
    },
  };
}

/** The slots of the process. */
export const decoderSlots: DecoderSlots = createDecoderSlots();
