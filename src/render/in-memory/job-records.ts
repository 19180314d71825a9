import type { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import type { JobState } from '../../contract/job-status.ts';
import { isActive, isWaiting, stalledAfterMs } from '../jobs/job-states.ts';
import type { StoredFile } from '../jobs/queue/end-run.ts';
import type { ExistingJob, LoadCounts } from '../jobs/start-rules.ts';

/** A run of a job, and the worker that has it or had it. */
interface WorkerRun {
  readonly worker: string;
  readonly run: string;
}

/** A job in memory. Times are milliseconds since 1970. */
export interface JobRecord {
  readonly owner: string;
  readonly job: Job;
  readonly createdAt: number;
  expiresAt: number;
  state: JobState;
  /** Percent. */
  progress: number;
  /** The run that is valid now. */
  currentRun: WorkerRun | undefined;
  /** The last run, if its worker may resume it. */
  previousRun: WorkerRun | undefined;
  /** The last heartbeat of the worker that holds it. */
  lastHeartbeatAt: number;
  file: StoredFile | undefined;
  /** Why it failed. */
  error: MillraceError | undefined;
  /** How often it ran out of disk on its own, and until when it rests after that. */
  fullDiskCount: number;
  backoffUntil: number;
}

type Listener = (payload: string) => void;

/** The jobs of one process, and their subscribers. */
export class JobRecords {
  /** In the order in which they were started. */
  readonly #records = new Map<string, JobRecord>();
  readonly #workers = new Map<string, { readonly slots: number; readonly beatAt: number }>();
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly now: () => number;

  /** @param now The clock, in milliseconds since 1970. */
  constructor(now: () => number) {
    this.now = now;
  }

  /** Puts a new job in the place of any with its id. */
  add(owner: string, job: Job, state: JobState, error?: MillraceError): JobRecord {
    const now = this.now();
    const record: JobRecord = {
      owner,
      job,
      createdAt: now,
      expiresAt: now + job.ttl,
      state,
      progress: 0,
      currentRun: undefined,
      previousRun: undefined,
      lastHeartbeatAt: now,
      file: undefined,
      error,
      fullDiskCount: 0,
      backoffUntil: 0,
    };
    this.#records.delete(job.id);
    this.#records.set(job.id, record);
    return record;
  }

  all(): readonly JobRecord[] {
    return [...this.#records.values()];
  }

  /** Those that have not expired. */
  unexpired(): readonly JobRecord[] {
    return this.all().filter(({ expiresAt }) => expiresAt > this.now());
  }

  /** The job with this id, if it has not expired. */
  find(id: string): JobRecord | undefined {
    const record = this.#records.get(id);
    return record === undefined || record.expiresAt <= this.now() ? undefined : record;
  }

  /** The job that a run is valid for. */
  findByRun(run: string): JobRecord | undefined {
    return this.all().find(({ currentRun, state }) => currentRun?.run === run && isActive(state));
  }

  /** What decides how a start with this id goes. */
  findExisting(id: string): ExistingJob | undefined {
    const record = this.#records.get(id);
    if (record === undefined) return undefined;
    const { owner, state, expiresAt, lastHeartbeatAt } = record;
    const now = this.now();
    return {
      owner,
      state,
      expired: expiresAt <= now,
      stalled: isActive(state) && lastHeartbeatAt < now - stalledAfterMs,
    };
  }

  /** Counts the jobs, as a start of the job `id` sees them. */
  countFor(id: string, owner: string): LoadCounts {
    const records = this.all();
    const alive = [...this.#workers.values()].filter(({ beatAt }) => beatAt > this.now() - stalledAfterMs);
    const isUnfinished = ({ state }: JobRecord) => state !== 'done' && state !== 'failed';
    return {
      waiting: records.filter(({ state }) => isWaiting(state)).length,
      active: records.filter(({ state }) => isActive(state)).length,
      slots: alive.reduce((sum, { slots }) => sum + slots, 0),
      unfinished: records.filter((each) => each.owner === owner && each.job.id !== id && isUnfinished(each)).length,
    };
  }

  /** Counts a worker: it has sent a heartbeat. */
  recordHeartbeat(worker: string, slots: number): void {
    this.#workers.set(worker, { slots, beatAt: this.now() });
  }

  /** Counts a worker no longer. */
  removeWorker(worker: string): void {
    this.#workers.delete(worker);
  }

  /** Calls the subscribers of a channel, after the caller has made its changes. */
  notify(channel: string, payload: string): void {
    queueMicrotask(() => {
      for (const listener of this.#listeners.get(channel) ?? []) listener(payload);
    });
  }

  /** Calls back for every message of a channel; returns how to stop. */
  async listen(channel: string, listener: Listener): Promise<() => Promise<void>> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(listener));
    return async () => {
      listeners.delete(listener);
    };
  }
}
