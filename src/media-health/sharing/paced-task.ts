/** A task that runs on request, at most once per interval and never twice at a time. */
export interface PacedTask {
  /** Requests a run: at once if the last one started an interval ago, otherwise as soon as it has. */
  request(delayMs?: number): void;
  /** Prevents further runs, and waits for the current one. */
  stop(): Promise<void>;
}

/**
 * Creates a task. A request during a run leads to another run. The timer does not keep the process alive.
 *
 * @param work Handles its own errors, and never throws.
 */
export function createPacedTask(work: () => Promise<void>, intervalMs: number): PacedTask {
  let lastStart = Number.NEGATIVE_INFINITY;
  let due: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isStopped = false;

  function start(): void {
    due = undefined;
    lastStart = Date.now();
    running = work().finally(() => {
      running = undefined;
      schedule();
    });
  }

  function schedule(): void {
    clearTimeout(timer);
    if (due === undefined || running !== undefined || isStopped) return;
    const wait = Math.max(due, lastStart + intervalMs) - Date.now();
    if (wait <= 0) start();
    else timer = setTimeout(start, wait).unref();
  }

  return {
    request(delayMs = 0) {
      due = Math.min(due ?? Number.POSITIVE_INFINITY, Date.now() + delayMs);
      schedule();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
