import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds between two reports: progress is reported ten times a second. */
const interval = 100;

/**
 * Lets the event loop turn now and then while a task runs. The media library is called synchronously, which is several
 * times faster, but in between the log has to drain, progress has to go out, and a dead service has to be noticed.
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

  /** Reports how far the task is, 0 to 1, and lets the event loop turn once. */
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
 * Whether the service has ended.
 *
 * @param parent The service's process id; 0 in a process namespace, where outside ids have no meaning and the kernel ends
 *   this process with the service.
 */
export function isOrphaned(parent: number): boolean {
  return parent !== 0 && process.ppid !== parent;
}
