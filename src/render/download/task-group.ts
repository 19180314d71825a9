/** A group of tasks: the first that fails aborts all others. */
interface TaskGroup {
  readonly signal: AbortSignal;
  /** Starts a task. It may start further ones. */
  run(task: () => Promise<void>): void;
  /** Settles when every task has ended; throws what the first failure threw. */
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
