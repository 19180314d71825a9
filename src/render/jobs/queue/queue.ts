import type { MillraceError } from '../../../contract/errors.ts';
import type { Database } from '../../../database/database.ts';
import type { Sealer } from '../../../sealing/sealer.ts';
import { readableFormat } from '../description-format.ts';
import { type ClaimedJob, claimJob, hasWaitingJob } from './claim-job.ts';
import { completeRun, failRun, requeueOtherRuns, requeueRun, type StoredFile } from './end-run.ts';
import { type DiskUse, requeueAfterFullDisk } from './full-disk.ts';
import { enterStage, releaseSlot, removeWorker, writeHeartbeat } from './heartbeat.ts';
import { recoverLostRuns, resumableRuns } from './recover-lost-runs.ts';

/**
 * The waiting jobs, as a worker sees them. The job's own row is the queue: which job waits, who works on it and how it
 * ended can never disagree. Every write names the run, so a worker that lost its job changes nothing any more.
 */
export interface Queue {
  /**
   * Claims a job for a worker that runs `running` others, not counting those that only wait for the store: a suspect if it
   * runs none ({@link ClaimedJob.alone}), else a job that it had before, else the one that has waited longest. Undefined
   * if none waits, or the worker drains for a suspect.
   */
  claim(worker: string, running?: number): Promise<ClaimedJob | undefined>;
  /**
   * Whether a job waits that the worker may be able to claim: costs the database a fraction of a claim that finds nothing.
   */
  hasWaitingJob(): Promise<boolean>;
  /** Writes a heartbeat of a worker and its runs, with their progress. Returns the runs that are still its own. */
  heartbeat(worker: string, slots: number, progress: ReadonlyMap<string, number>): Promise<ReadonlySet<string>>;
  /** Moves a run to its next stage, whose progress begins here; `false` when the run is no longer valid. */
  enterStage(run: string, state: 'processing' | 'uploading_output', progress: number): Promise<boolean>;
  /**
   * Ends a run with a file; `false` when the run is no longer valid, and the file must go. May be called again after it
   * failed without an answer, when nobody knows whether it took effect.
   */
  complete(run: string, file: StoredFile): Promise<boolean>;
  /**
   * Notes that the result of a run only waits for the store from now on: the run is not alone any more, and the death of
   * its node counts for nothing.
   */
  releaseSlot(run: string): Promise<void>;
  /** Ends a run without one. */
  fail(run: string, error: MillraceError, progress: number): Promise<void>;
  /**
   * Puts a run's job back in the queue because the worker stops, and lets the sweeper delete what it may have stored. That
   * does not count as a death of its node. `false` if the run is no longer valid, and its file must be deleted.
   */
  requeue(run: string): Promise<boolean>;
  /** Does the same because the worker's disk is full; see {@link requeueAfterFullDisk}. */
  requeueAfterFullDisk(run: string, otherDiskUse: DiskUse): Promise<void>;
  /**
   * Does the same with all other runs of a worker: those whose claim never got a response, or that it gave up while the
   * database was away. `current`: the runs that it is working on.
   */
  requeueOthers(worker: string, current: readonly string[]): Promise<void>;
  /**
   * Puts the jobs of lost workers back in the queue, and counts a death of the node for each whose result did not only
   * wait for the store. Fails those that were alone on dying nodes too often. A worker is lost after {@link lostAfter}
   * without a heartbeat. `all`: every worker counts as lost, if there can be no other than this one. `started`: only this
   * worker, which has just started and runs nothing; others may be silent because the database was away.
   */
  recoverLostRuns(all: boolean, started?: string): Promise<void>;
  /** The runs that a worker may resume: those that it holds, and its former ones whose jobs it may be given again. */
  resumableRuns(worker: string): Promise<ReadonlySet<string>>;
  /** Takes a worker out of the count. */
  removeWorker(worker: string): Promise<void>;
}

/** Opens the queue of a database. Its workers read job descriptions up to the format `reads`. */
export function openQueue(database: Database, sealer: Sealer, maxFormat = readableFormat): Queue {
  return {
    claim: (worker, running = 0) => claimJob({ database, sealer, maxFormat }, worker, running),
    hasWaitingJob: () => hasWaitingJob(database, maxFormat),
    heartbeat: (worker, slots, progress) => writeHeartbeat(database, { worker, slots, maxFormat, progress }),
    enterStage: (run, state, progress) => enterStage(database, run, state, progress),
    complete: (run, file) => completeRun(database, run, file),
    releaseSlot: (run) => releaseSlot(database, run),
    fail: (run, error, progress) => failRun(database, run, error, progress),
    requeue: (run) => requeueRun(database, run),
    requeueAfterFullDisk: (run, otherDiskUse) => requeueAfterFullDisk(database, run, otherDiskUse),
    requeueOthers: (worker, current) => requeueOtherRuns(database, worker, current),
    recoverLostRuns: (all, started) => recoverLostRuns(database, { allWorkers: all, startedWorker: started }),
    resumableRuns: (worker) => resumableRuns(database, worker),
    removeWorker: (worker) => removeWorker(database, worker),
  };
}
