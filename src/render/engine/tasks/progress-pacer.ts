import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds between two reports. */
const interval = 100;

/**
 * Lets the event loop run periodically during a task. The media library is called synchronously, which is several times
 * faster than asynchronous calls. Between calls, the log must drain, progress must be sent, and the end of the service
 * must be detected.
 */
export class ProgressPacer {
  readonly #report: (fraction: number) => void;
  readonly #parent: number;
  #lastReport = performance.now();
  #reportedFraction = -1;

  /** Reports progress through `report`; see {@link isOrphaned} for `parent`. */
  constructor(report: (fraction: number) => void, parent: number) {
    this.#report = report;
    this.#parent = parent;
  }

  /** Whether it is time for {@link reportAndYield}. */
  get shouldReport(): boolean {
    return performance.now() - this.#lastReport >= interval;
  }

  /** Reports the progress of the task, 0 to 1, and lets the event loop run once. */
  async reportAndYield(fraction: number): Promise<void> {
    this.#lastReport = performance.now();
    if (isOrphaned(this.#parent)) process.kill(process.pid, 'SIGKILL');
    const progress = Math.min(1, Math.max(0, fraction));
    if (progress > this.#reportedFraction) {
      this.#reportedFraction = progress;
      this.#report(progress);
    }
    await nextTurn();
  }
}

/**
 * Returns whether the service has ended.
 *
 * @param parent The service's process ID; 0 in a process namespace, where outside IDs have no meaning and the kernel
 * ends this process when the service ends.
 */
export function isOrphaned(parent: number): boolean {
  return parent !== 0 && process.ppid !== parent;
}
