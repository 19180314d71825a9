/** Those who listen to each job, with the jobs spread over the parts of a round. */
export class Audiences<Listener> {
  readonly #parts: Map<string, Set<Listener>>[];
  /** The part that a job is in. */
  readonly #places = new Map<string, Map<string, Set<Listener>>>();

  constructor(parts: number) {
    this.#parts = Array.from({ length: parts }, () => new Map());
  }

  /** Whether no job is listened to. */
  get isEmpty(): boolean {
    return this.#places.size === 0;
  }

  /** The jobs of a part that are listened to. */
  part(index: number): ReadonlyMap<string, ReadonlySet<Listener>> {
    return this.#parts[index] ?? new Map();
  }

  /** Those who listen to a job. */
  of(jobId: string): ReadonlySet<Listener> | undefined {
    return this.#places.get(jobId)?.get(jobId);
  }

  /** Adds a listener; a job that nobody has listened to so far goes to the part that has fewest. */
  add(jobId: string, listener: Listener): void {
    const place = this.#places.get(jobId) ?? this.#emptiest();
    const audience = place.get(jobId) ?? new Set();
    place.set(jobId, audience.add(listener));
    this.#places.set(jobId, place);
  }

  delete(jobId: string, listener: Listener): void {
    const place = this.#places.get(jobId);
    const audience = place?.get(jobId);
    audience?.delete(listener);
    if (audience?.size !== 0) return;
    place?.delete(jobId);
    this.#places.delete(jobId);
  }

  #emptiest(): Map<string, Set<Listener>> {
    return this.#parts.reduce((emptiest, part) => (part.size < emptiest.size ? part : emptiest));
  }
}
