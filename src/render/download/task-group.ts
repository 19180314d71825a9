/** A group of tasks in which the first failure aborts all others. */
interface TaskGroup {
  readonly signal: AbortSignal;
  /** Starts a task, which may start further tasks. */
  run(task: () => Promise<void>): void;
  /** Settles when every task has ended; throws the first failure. */
  wait(): Promise<void>;
}

/** Creates a group that is also aborted by `parentSignal`. */
export function createTaskGroup(parentSignal: AbortSignal): TaskGroup {
  const abort = new AbortController();
  const failures: unknown[] = [];
  const tasks: Promise<void>[] = [];
  return {
    signal: AbortSignal.any([parentSignal, abort.signal]),
    run(task) {
      const settled = task().catch((error: unknown) => {
        failures.push(error);
        abort.abort(error);
      });
      tasks.push(settled);
    },
    async wait() {
      for (let next = tasks.shift(); next !== undefined; next = tasks.shift()) await next;
      if (failures.length > 0) throw failures[0];
    },
  };
}
