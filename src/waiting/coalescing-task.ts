/** A task that never runs concurrently with itself: requests that arrive while it runs share one further run. */
export interface CoalescingTask {
  /** Runs the task, or runs it once more after the current run, which may have started too early. */
  request(): void;
  /** Settles when no requested run remains. */
  settled(): Promise<void>;
}

/** Creates a task. `onError` receives the errors of runs; runs that were requested in the meantime still follow. */
export function createCoalescingTask(run: () => Promise<void>, onError: (error: unknown) => void): CoalescingTask {
  let isRequested = false;
  let running: Promise<void> | undefined;

  async function runRequested(): Promise<void> {
    while (isRequested) {
      isRequested = false;
      await run().catch(onError);
    }
    running = undefined;
  }

  return {
    request() {
      isRequested = true;
      running ??= runRequested();
    },
    settled: async () => running,
  };
}
