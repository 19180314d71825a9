import type { DeliveryOutcome } from '../../contract/delivery-outcome.ts';
import type { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import type { JobState } from '../../contract/job-status.ts';
import type { RequestOrigin } from '../../contract/request-origin.ts';
import { isActive, isWaiting, stalledAfterMs } from '../jobs/job-states.ts';
import type { StoredFile } from '../jobs/queue/end-run.ts';
import type { ExistingJob, LoadCounts } from '../jobs/start-rules.ts';

/** A run of a job, and its current or former worker. */
interface WorkerRun {
  readonly worker: string;
  readonly run: string;
}

/** A job in memory. Times are milliseconds since 1970. */
export interface JobRecord {
  readonly owner: string;
  /** Whether a visitor of the page started it. */
  readonly visitor: boolean;
  readonly job: Job;
  /** The request that started it. */
  readonly origin: RequestOrigin | undefined;
  readonly createdAt: number;
  expiresAt: number;
  state: JobState;
  /** In percent. */
  progress: number;
  /** The current valid run. */
  currentRun: WorkerRun | undefined;
  /** The last run, if its worker may resume it. */
  previousRun: WorkerRun | undefined;
  /** Time of the last heartbeat of the job's worker. */
  lastHeartbeatAt: number;
  file: StoredFile | undefined;
  /** The outcome of the delivery of its file. */
  delivery: DeliveryOutcome | undefined;
  /** The reason for the job's failure. */
  error: MillraceError | undefined;
  /**
   * Number of times it ran out of disk while no other jobs used the disk, and the time before which it is not claimed
   * again.
   */
  fullDiskCount: number;
  backoffUntil: number;
}

/** A job that a visitor of the page has started. */
export interface VisitorStart {
  readonly visitor: string;
  readonly jobId: string;
  readonly startedAt: number;
  /** How often the job was restarted after a failure since then. */
  restarts: number;
}

type Listener = (payload: string) => void;

/** The jobs of one process, and their subscribers. */
export class JobRecords {
  /** In start order. */
  readonly #records = new Map<string, JobRecord>();
  readonly #workers = new Map<string, { readonly slots: number; readonly beatAt: number }>();
  readonly #listeners = new Map<string, Set<Listener>>();
  /** Oldest first. */
  readonly visitorStarts: VisitorStart[] = [];
  readonly now: () => number;

  /** @param now The clock, in milliseconds since 1970. */
  constructor(now: () => number) {
    this.now = now;
  }

  /** Adds a new job and replaces any with the same ID. */
  add(start: Pick<JobRecord, 'owner' | 'visitor' | 'job' | 'origin' | 'state' | 'error'>): JobRecord {
    const now = this.now();
    const { job } = start;
    const record: JobRecord = {
      ...start,
      createdAt: now,
      expiresAt: now + job.ttl,
      progress: 0,
      currentRun: undefined,
      previousRun: undefined,
      lastHeartbeatAt: now,
      file: undefined,
      delivery: undefined,
      fullDiskCount: 0,
      backoffUntil: 0,
    };
    this.#records.delete(job.id);
    this.#records.set(job.id, record);
    return record;
  }

  /** Deletes a job. */
  delete(id: string): void {
    this.#records.delete(id);
  }

  all(): readonly JobRecord[] {
    return [...this.#records.values()];
  }

  /** Returns the jobs that have not expired. */
  unexpired(): readonly JobRecord[] {
    return this.all().filter(({ expiresAt }) => expiresAt > this.now());
  }

  /** Returns the job with this ID, if it has not expired. */
  find(id: string): JobRecord | undefined {
    const record = this.#records.get(id);
    return record === undefined || record.expiresAt <= this.now() ? undefined : record;
  }

  /** Returns the job for which a run is valid. */
  findByRun(run: string): JobRecord | undefined {
    return this.all().find(({ currentRun, state }) => currentRun?.run === run && isActive(state));
  }

  /** Returns the state that decides the outcome of a start with this ID. */
  findExisting(id: string): ExistingJob | undefined {
    const record = this.#records.get(id);
    if (record === undefined) return undefined;
    const { owner, state, expiresAt, lastHeartbeatAt, error } = record;
    const now = this.now();
    return {
      owner,
      state,
      expired: expiresAt <= now,
      stalled: isActive(state) && lastHeartbeatAt < now - stalledAfterMs,
      failure: error?.code ?? null,
    };
  }

  /** Counts the jobs that affect a start of the job `id`. */
  countFor(id: string, owner: string, isVisitor: boolean): LoadCounts {
    const records = this.all();
    const alive = [...this.#workers.values()].filter(({ beatAt }) => beatAt > this.now() - stalledAfterMs);
    const isOwn = (record: JobRecord) => record.owner === owner && !record.visitor;
    const isUnfinished = ({ state }: JobRecord) => state !== 'done' && state !== 'failed';
    return {
      waiting: records.filter(({ state }) => isWaiting(state)).length,
      active: records.filter(({ state }) => isActive(state)).length,
      slots: alive.reduce((sum, { slots }) => sum + slots, 0),
      tenantWaiting: records.filter((each) => isWaiting(each.state) && (isVisitor ? each.visitor : isOwn(each))).length,
      unfinished: records.filter((each) => each.owner === owner && each.job.id !== id && isUnfinished(each)).length,
    };
  }

  /** Records a heartbeat of a worker, which is counted from then on. */
  recordHeartbeat(worker: string, slots: number): void {
    this.#workers.set(worker, { slots, beatAt: this.now() });
  }

  /** Stops counting a worker. */
  removeWorker(worker: string): void {
    this.#workers.delete(worker);
  }

  /** Notifies the subscribers of a channel after the caller has finished its changes. */
  notify(channel: string, payload: string): void {
    queueMicrotask(() => {
      for (const listener of this.#listeners.get(channel) ?? []) listener(payload);
    });
  }

  /** Subscribes to the messages of a channel; returns a function that unsubscribes. */
  async listen(channel: string, listener: Listener): Promise<() => Promise<void>> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(listener));
    return async () => {
      listeners.delete(listener);
    };
  }
}
