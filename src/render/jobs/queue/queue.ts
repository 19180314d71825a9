import type { DeliveryOutcome } from '../../../contract/delivery-outcome.ts';
import type { MillraceError } from '../../../contract/errors.ts';
import type { Database } from '../../../database/database.ts';
import type { Sealer } from '../../../sealing/sealer.ts';
import { readableFormat } from '../description-format.ts';
import { readStoredSizes, type StoredSizes } from '../stored-size.ts';
import { type ClaimedJob, type ClaimLimits, claimJob, hasWaitingJob } from './claim-job.ts';
import { type CompletedFile, completeRun, failRun, requeueOtherRuns, requeueRun } from './end-run.ts';
import { type DiskUse, requeueAfterFullDisk } from './full-disk.ts';
import { enterStage, releaseSlot, removeWorker, writeHeartbeat } from './heartbeat.ts';
import { recoverLostRuns, resumableRuns } from './recover-lost-runs.ts';
import type { WorkerAbilities } from './worker-abilities.ts';

/**
 * The waiting jobs, as a worker sees them. The job's own row is the queue, so that the queue, the job's worker and its
 * outcome are always consistent. Every write names the run, so a worker that lost its job can no longer change
 * anything.
 */
export interface Queue {
  /**
   * Claims a job for a worker within its limits. `running` does not count jobs that only wait for the store. A worker
   * without jobs gets a suspect first ({@link ClaimedJob.alone}). Otherwise it gets a job that it had before, or else the
   * one whose turn it is (`fair-turns.ts`). Returns undefined if none waits, or the worker drains for a suspect.
   */
  claim(worker: string, limits?: ClaimLimits): Promise<ClaimedJob | undefined>;
  /**
   * Whether a job waits that the worker may be able to claim. Costs the database a fraction of an unsuccessful claim.
   */
  hasWaitingJob(withVisitors?: boolean): Promise<boolean>;
  /** Writes a heartbeat of a worker and its runs, with their progress. Returns the runs that still belong to it. */
  heartbeat(worker: string, slots: number, progress: ReadonlyMap<string, number>): Promise<ReadonlySet<string>>;
  /**
   * Moves a run to its next stage, whose progress starts at `progress`. Returns `false` if the run is no longer valid.
   */
  enterStage(run: string, state: 'processing' | 'uploading_output', progress: number): Promise<boolean>;
  /**
   * Ends a run with a file. Returns `false` if the run is no longer valid and the file must be deleted. May be repeated
   * after it failed without a response, when its effect is unknown.
   */
  complete(run: string, file: CompletedFile): Promise<boolean>;
  /**
   * Records that the result of a run only waits for the store from now on: the run is no longer alone, and the death of
   * its node does not count.
   */
  releaseSlot(run: string): Promise<void>;
  /** Returns the sizes of the finished files of a tenant and of all. */
  storedSizes(tenant: string): Promise<StoredSizes>;
  /** Ends a run as failed, with the outcome of its delivery if that failed. */
  fail(run: string, error: MillraceError, progress: number, delivery?: DeliveryOutcome): Promise<void>;
  /**
   * Puts a run's job back in the queue because the worker stops, and lets the sweeper delete what it may have stored.
   * This does not count as a death of its node. Returns `false` if the run is no longer valid, and its file must be
   * deleted.
   */
  requeue(run: string): Promise<boolean>;
  /** Puts a run's job back in the queue because the worker's disk is full; see {@link requeueAfterFullDisk}. */
  requeueAfterFullDisk(run: string, otherDiskUse: DiskUse): Promise<void>;
  /**
   * Puts the jobs of all other runs of a worker back in the queue. These are runs whose claim never got a response, or
   * that the worker gave up while the database was unavailable. `current` are the runs that it is working on.
   */
  requeueOthers(worker: string, current: readonly string[]): Promise<void>;
  /**
   * Puts the jobs of lost workers back in the queue. Counts a death of the node for each, except for jobs whose result
   * only waited for the store. Fails those that were alone on dying nodes too often. A worker is lost after
   * {@link lostAfter} without a heartbeat. With `all`, every worker counts as lost, because this worker is the only one
   * that can exist. With `started`, only that worker counts as lost: it has just started and runs nothing, and others
   * may be silent because the database was unavailable.
   */
  recoverLostRuns(all: boolean, started?: string): Promise<void>;
  /**
   * Returns the runs that a worker may resume: those that it holds, and its former ones whose jobs it may be given
   * again.
   */
  resumableRuns(worker: string): Promise<ReadonlySet<string>>;
  /** Stops counting a worker. */
  removeWorker(worker: string): Promise<void>;
}

/** Opens the queue of a database. By default, its workers read every format of this version, and run no test jobs. */
export function openQueue(
  database: Database,
  sealer: Sealer,
  { maxFormat = readableFormat, runsTestJobs = false }: Partial<WorkerAbilities> = {},
): Queue {
  const abilities = { maxFormat, runsTestJobs };
  return {
    claim: (worker, limits) => claimJob({ database, sealer, abilities }, worker, limits),
    hasWaitingJob: (withVisitors) => hasWaitingJob(database, abilities, withVisitors),
    heartbeat: (worker, slots, progress) => writeHeartbeat(database, { worker, slots, maxFormat, progress }),
    enterStage: (run, state, progress) => enterStage(database, run, state, progress),
    complete: (run, file) => completeRun(database, run, file),
    releaseSlot: (run) => releaseSlot(database, run),
    storedSizes: (tenant) => readStoredSizes(database, tenant),
    fail: (run, error, progress, delivery) => failRun(database, run, error, progress, delivery),
    requeue: (run) => requeueRun(database, run),
    requeueAfterFullDisk: (run, otherDiskUse) => requeueAfterFullDisk(database, run, otherDiskUse),
    requeueOthers: (worker, current) => requeueOtherRuns(database, worker, current),
    recoverLostRuns: (all, started) => recoverLostRuns(database, { allWorkers: all, startedWorker: started }),
    resumableRuns: (worker) => resumableRuns(database, worker),
    removeWorker: (worker) => removeWorker(database, worker),
  };
}
