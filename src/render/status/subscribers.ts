/** The listeners of each job, with the jobs spread evenly over a number of groups. */
export class Subscribers<Listener> {
  readonly #groups: Map<string, Set<Listener>>[];
  /** The group of each job. */
  readonly #groupOf = new Map<string, Map<string, Set<Listener>>>();

  constructor(groups: number) {
    this.#groups = Array.from({ length: groups }, () => new Map());
  }

  /** Whether no job has a listener. */
  get isEmpty(): boolean {
    return this.#groupOf.size === 0;
  }

  /** Returns the listeners of a group, by job. */
  group(index: number): ReadonlyMap<string, ReadonlySet<Listener>> {
    return this.#groups[index] ?? new Map();
  }

  /** Returns the listeners of a job. */
  of(jobId: string): ReadonlySet<Listener> | undefined {
    return this.#groupOf.get(jobId)?.get(jobId);
  }

  /** Adds a listener. A job without listeners so far joins the smallest group. */
  add(jobId: string, listener: Listener): void {
    const group = this.#groupOf.get(jobId) ?? this.#smallest();
    const listeners = group.get(jobId) ?? new Set();
    group.set(jobId, listeners.add(listener));
    this.#groupOf.set(jobId, group);
  }

  delete(jobId: string, listener: Listener): void {
    const group = this.#groupOf.get(jobId);
    const listeners = group?.get(jobId);
    listeners?.delete(listener);
    if (listeners?.size !== 0) return;
    group?.delete(jobId);
    this.#groupOf.delete(jobId);
  }

  #smallest(): Map<string, Set<Listener>> {
    return this.#groups.reduce((smallest, group) => (group.size < smallest.size ? group : smallest));
  }
}
