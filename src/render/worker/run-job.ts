import type { Logger } from 'pino';
import type { BlockIndex } from '../../blocks/block-index.ts';
import type { DeliveryOutcome } from '../../contract/delivery-outcome.ts';
import { MillraceError, toMillraceError } from '../../contract/errors.ts';
import type { ReportMediaFetch } from '../../contract/media-fetch.ts';
import type { DeliveryTarget } from '../../contract/output-delivery.ts';
import { type Worlds, worldFor } from '../../contract/worlds.ts';
import type { CheckUrl } from '../../egress/create-egress.ts';
import type { Exit, Exits } from '../../egress/exits.ts';
import type { LinkHealer } from '../../link-healing/link-healer.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import type { Storage } from '../../storage/storage.ts';
import { noTracing, type Tracer } from '../../tracing/tracer.ts';
import { sleep } from '../../waiting/sleep.ts';
import { withTimeout } from '../../waiting/with-timeout.ts';
import type { LinkReplacement } from '../download/links/link-port.ts';
import type { Engine } from '../engine/engine.ts';
import { engineWithLog } from '../engine/engine-with-log.ts';
import { refusalOfJob } from '../jobs/blocked-job.ts';
import { fileNameOf } from '../jobs/file-name.ts';
import { jobBindings } from '../jobs/job-bindings.ts';
import type { ClaimedJob } from '../jobs/queue/claim-job.ts';
import type { CompletedFile, StoredFile } from '../jobs/queue/end-run.ts';
import type { DiskUse } from '../jobs/queue/full-disk.ts';
import type { Queue } from '../jobs/queue/queue.ts';
import { isStored } from '../jobs/stored-size.ts';
import type { FinishedResult } from '../receipts/finished-result.ts';
import type { HashedOutput, ReceiptIssuer } from '../receipts/receipt-issuer.ts';
import { type FetchedMedia, fetchMedia } from '../stages/fetch-media.ts';
import { processMedia } from '../stages/process-media.ts';
import { callerOfJob } from './caller-of-job.ts';
import { type DiskWatch, diskFault } from './disk-watch.ts';
import type { JobProgress } from './job-progress.ts';
import { JobTimeExceeded, withinJobTime } from './job-time.ts';
import type { RunEnd, RunMetrics, WorkerMetrics } from './metrics-port.ts';
import type { ResultDeliveries } from './result-deliveries.ts';
import { ResultNotRetained } from './result-retention.ts';
import { readRetainedResult } from './retained-result.ts';
import { retryDatabaseCall } from './retry-database-call.ts';
import { createStageWriter, type EnteredStage } from './stage-writer.ts';
import { type StoredQuota, StoredSizeExceeded } from './stored-quota.ts';
import type { Uploads } from './uploads.ts';
import type { WorkFolders } from './work-folders.ts';

/** What the jobs of one world use. */
export interface RunWorld {
  readonly exits: Exits;
  /** Seals the links of the files. */
  readonly sealer: Sealer;
  /** Absent if links are never replaced. */
  readonly healer?: LinkHealer;
  /** Receives the outcome of each fetch through a link that a platform returned. */
  readonly reportMediaFetch?: ReportMediaFetch;
}

/** Dependencies of running a job. */
interface RunServices {
  readonly queue: Queue;
  readonly worlds: Worlds<RunWorld>;
  readonly engine: Engine;
  readonly storage: Storage;
  readonly uploads: Uploads;
  readonly storedQuota: StoredQuota;
  readonly deliveries: ResultDeliveries;
  /** Checks, before the inputs are downloaded, whether the caller's store may be reached. */
  readonly checkUrl: CheckUrl;
  readonly disk: Pick<DiskWatch, 'jobFailed' | 'jobDone'>;
  /** Seals the records of retained results. */
  readonly sealer: Sealer;
  readonly folders: WorkFolders;
  readonly metrics: Pick<WorkerMetrics, 'startRun' | 'linkReplaced'>;
  readonly receipts: ReceiptIssuer;
  readonly blocks: BlockIndex;
  /** Time within which the result of a visitor's job must be finished, in milliseconds. */
  readonly visitorTimeMs: number;
  readonly log: Logger;
  readonly tracer?: Tracer;
}

/**
 * Time limit of a deletion. A store that does not respond must not block a slot: reconciliation deletes what remains
 * there.
 */
const DELETE_TIMEOUT_MS = 5_000;

/**
 * Thrown when the job no longer belongs to this worker: it has expired, was restarted, was given to another worker, or
 * was cancelled.
 */
export class RunLost extends Error {
  override readonly name = 'RunLost';
  /** `cancelled` if the worker was notified of the cancellation. */
  readonly how: 'lost' | 'cancelled';

  constructor(how: RunLost['how'] = 'lost') {
    super();
    this.how = how;
  }
}

/** How a run shares its worker with other runs. */
export interface RunSlot {
  /** Other use of the worker's disk, actual or possible, since the run started. */
  readonly otherDiskUse: DiskUse;
  /** Releases the slot of the run for other jobs: from now on it only waits. */
  release(): void;
  /** Records that the run's result is retained for a later run, so that a stopping worker need not wait for it. */
  resultRetained(): void;
}

/** Thrown when the disk accepts no files: the job returns to the queue, for another worker. */
class DiskUnusable extends Error {
  override readonly name = 'DiskUnusable';
}

/** Thrown when the worker stops; its jobs return to the queue. */
export class WorkerStopping extends Error {
  override readonly name = 'WorkerStopping';
}

/**
 * Runs a job: download, process, upload. Ends it as done or failed, or leaves it to others when it is lost or handed
 * back. Its downloads stay on the disk only while a later run of this worker may resume it.
 */
export async function runJob(
  claim: ClaimedJob,
  progress: JobProgress,
  signal: AbortSignal,
  slot: RunSlot,
  services: RunServices,
): Promise<void> {
  const { run, previousRun } = claim;
  const { queue, storage, disk, folders } = services;
  const log = services.log.child(jobBindings(claim));
  const runMetrics = services.metrics.startRun(claim.waitedMs);
  /**
   * Whether the file may belong to the job. This is possible while it is unknown whether the database has ended the
   * job.
   */
  let published = false;
  /** Whether the sweeper deletes what the run may have stored. */
  let sweeperDeletes = false;
  /** Whether this worker may be given the job again and resume it. */
  let resumable = false;
  log.info('job taken up');
  try {
    // The operator may have blocked the item while the job was waiting.
    const refusal = refusalOfJob(claim.job, services.blocks);
    if (refusal !== undefined) throw refusal;
    // Other files of the owner may have been stored while the job was waiting.
    if (isStored(claim.job)) await services.storedQuota.reserve(claim, 1, { log, signal });
    const directory = await folders.open(run, previousRun?.run, signal).catch(rethrowDiskFailure);
    const file = await carryOut(claim, directory, progress, signal, slot, {
      ...services,
      engine: engineWithLog(services.engine, log),
      log,
      runMetrics,
    });
    published = true;
    published = await retryDatabaseCall(() => queue.complete(run, file), { log });
    if (!published) throw new RunLost();
    disk.jobDone();
    runMetrics.end('ok');
    log.info('job done');
  } catch (error) {
    const cause = signal.aborted ? signal.reason : error;
    resumable = cause instanceof RunLost || cause instanceof WorkerStopping;
    if (cause instanceof RunLost) {
      runMetrics.end(cause.how);
      if (cause.how === 'cancelled') log.info('job given up: it was cancelled');
      else log.warn({ err: error }, 'job given up: it no longer belongs to this worker');
    } else if (cause instanceof WorkerStopping) {
      runMetrics.end('handed_back');
      sweeperDeletes = await retryDatabaseCall(() => queue.requeue(run), { log });
    } else if (cause instanceof ResultNotRetained) {
      runMetrics.end('handed_back');
      log.warn({ err: error }, 'job handed back: its result can neither be stored nor retained');
      sweeperDeletes = await retryDatabaseCall(() => queue.requeue(run), { log });
    } else if (cause instanceof DiskUnusable) {
      runMetrics.end('handed_back');
      disk.jobFailed(cause.cause);
      const { otherDiskUse } = slot;
      log.warn({ err: error, besides: otherDiskUse }, 'job handed back: the disk accepts no more files');
      await folders.remove(run);
      await retryDatabaseCall(() => queue.requeueAfterFullDisk(run, otherDiskUse), { log });
    } else await endAsFailed(error);
  } finally {
    services.storedQuota.release(run);
    if (resumable) folders.leave(run);
    else await folders.remove(run);
    if (!published && !sweeperDeletes)
      await withTimeout(storage.delete(run), DELETE_TIMEOUT_MS).catch(logDeletionFailure);
  }

  async function endAsFailed(reason: unknown): Promise<void> {
    const [cause, delivery] = reason instanceof DeliveryFailed ? [reason.cause, reason.outcome] : [reason];
    const error = toMillraceError(cause);
    runMetrics.end(runEndOf(error));
    log.warn({ err: cause, code: error.code, input: error.input }, 'job failed');
    await retryDatabaseCall(() => queue.fail(run, error, progress.percent, delivery), { log });
  }

  /** Logs a failed deletion. Reconciliation finds files without a job, at each start of a node and hourly. */
  function logDeletionFailure(error: unknown): void {
    log.warn(
      { err: error },
      'files that the run may have stored could not be deleted; reconciliation will delete them',
    );
  }
}

/** Returns the outcome of a failed run for the metrics. */
function runEndOf(error: MillraceError): RunEnd {
  if (error instanceof JobTimeExceeded) return 'over_time';
  return error instanceof StoredSizeExceeded ? 'over_quota' : error.code;
}

/** Rethrows a disk failure. Before the upload, the engine reports a full disk as `storage_failed`. */
function rethrowDiskFailure(error: unknown): never {
  const full = error instanceof MillraceError && error.code === 'storage_failed';
  if (full || diskFault(error) !== undefined) throw new DiskUnusable('the disk accepts no files', { cause: error });
  throw error;
}

/** Thrown when a file that is not stored could not be delivered. */
class DeliveryFailed extends Error {
  override readonly name = 'DeliveryFailed';
  readonly outcome: DeliveryOutcome;

  constructor(error: MillraceError, outcome: DeliveryOutcome) {
    super(error.message, { cause: error });
    this.outcome = outcome;
  }
}

/** Runs all steps up to the stored or delivered file. */
async function carryOut(
  claim: ClaimedJob,
  directory: string,
  progress: JobProgress,
  signal: AbortSignal,
  slot: RunSlot,
  {
    queue,
    worlds,
    engine,
    storage,
    uploads,
    storedQuota,
    deliveries,
    checkUrl,
    sealer,
    metrics,
    receipts,
    visitorTimeMs,
    log,
    runMetrics,
    tracer = noTracing,
  }: RunServices & { readonly runMetrics: RunMetrics },
): Promise<CompletedFile> {
  const { run, id, owner, origin, job, test, visitor, expiresAt } = claim;
  const startedAt = new Date().toISOString();
  const world = worldFor(worlds, test);
  const { exits, healer, reportMediaFetch } = world;
  const stages = createStageWriter(async (state) => {
    const valid = await retryDatabaseCall(() => queue.enterStage(run, state, progress.percent), { log, signal });
    progress.stageWritten(state);
    return valid;
  }, signal);
  const upload = {
    run,
    job: id,
    owner,
    directory,
    expiresAt,
    signal,
    onWaiting: releaseSlot,
    onRetained: slot.resultRetained,
    log,
  };
  try {
    return await produceFile();
  } finally {
    await stages.close();
  }

  async function produceFile(): Promise<CompletedFile> {
    const { delivery: target } = job.output;
    const isOnlyDelivered = target?.keep === false;
    // A refused address is known before the work of the render. A file that is also stored is worth that work.
    if (isOnlyDelivered) await checkUrl(target.url, signal);
    const finished = await withinJobTime(visitor ? visitorTimeMs : undefined, signal, obtainResult).catch(
      rethrowDiskFailure,
    );
    const codes = new Set(finished.notes.map(({ code }) => code));
    if (codes.size > 0) log.info({ notes: [...codes] }, 'the result differs from its inputs');
    if (isStored(job)) await storedQuota.reserve(claim, finished.bytes, { log, signal });
    await enter('uploading_output');
    const hashing = await receipts.hashOutput(finished, isOnlyDelivered ? {} : storage, signal);
    const result = target === undefined ? finished : await deliver(target, finished);
    signal.throwIfAborted();
    if (isOnlyDelivered && result.delivery !== undefined) {
      const { notes, delivery } = result;
      const sha256 = await hashing.sha256;
      const digest = sha256 === undefined ? {} : { sha256: Buffer.from(sha256, 'base64').toString('hex') };
      return { delivery: { ...delivery, ...digest, notes: [...notes] } };
    }
    return await storeFile(result, hashing);
  }

  /** Stores a result, and issues its receipt. */
  async function storeFile(result: FinishedResult, hashing: HashedOutput): Promise<StoredFile> {
    const store = () => uploads.store(result, { ...upload, onProgress: progressOf(result.delivery ? 0.5 : 0, 1) });
    const putResult = await tracer.span('store result', { 'millrace.bytes': result.bytes }, store);
    signal.throwIfAborted();
    const link = world.sealer.seal('file-link', { key: run });
    const sha256 = putResult.sha256 ?? (await hashing.sha256);
    const receipt = receipts.issue({ job, test }, result, sha256);
    return {
      key: run,
      name: fileNameOf(job),
      size: result.bytes,
      link,
      notes: result.notes,
      ...(sha256 === undefined ? {} : { sha256 }),
      ...(receipt === undefined ? {} : { receipt }),
      ...(result.delivery === undefined ? {} : { delivery: result.delivery }),
    };
  }

  /** Delivers a result, unless an earlier run has. Returns it with the outcome. */
  async function deliver(target: DeliveryTarget, finished: FinishedResult): Promise<FinishedResult> {
    if (finished.delivery !== undefined) return finished;
    const onProgress = progressOf(0, target.keep ? 0.5 : 1);
    const { outcome, error, result } = await deliveries.deliver(job, target, finished, { ...upload, onProgress });
    if (error !== undefined && !target.keep) throw new DeliveryFailed(error, outcome);
    return { ...result, delivery: outcome };
  }

  /** Returns the function that reports the progress of an upload, which takes a part of its stage. */
  function progressOf(from: number, to: number): (fraction: number) => void {
    return (fraction) => progress.report('uploading_output', from + (to - from) * fraction);
  }

  async function releaseSlot(): Promise<void> {
    slot.release();
    await retryDatabaseCall(() => queue.releaseSlot(run), { log, signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      log.warn({ err: error }, 'the database could not record that a result waits; a death of the node would count');
    });
  }

  /** Returns the result that an earlier run has retained, or else a new one. */
  async function obtainResult(workSignal: AbortSignal): Promise<FinishedResult> {
    const result = await readRetainedResult(directory, id, sealer, workSignal);
    if (result === undefined) return await processInputs(await fetchInputs(workSignal), workSignal);
    log.info('the job has a result from an earlier run: only its upload remains');
    await enter('processing');
    return result;
  }

  /** Returns the exit of the job. @throws MillraceError if its country has none any more. */
  function exit(): Exit {
    return job.exit === undefined ? exits.forJobs : exits.byId(job.exit);
  }

  async function fetchInputs(workSignal: AbortSignal): Promise<FetchedMedia> {
    const jobExit = exit();
    const onReplaced = ({ input, outcome, formerProfile, profile }: LinkReplacement) => {
      metrics.linkReplaced(outcome);
      log.info({ input, outcome, formerProfile, profile }, 'the link of an input was replaced');
    };
    const media = await fetchMedia(
      job,
      {
        egress: jobExit,
        caller: callerOfJob({ id, owner, visitor }),
        linkServices: {
          owner,
          // Only a done job is extended, so the expiry differs between starts and not between the runs of a start.
          start: expiresAt.toISOString(),
          requestId: origin?.requestId,
          exit: jobExit,
          healer,
          reportMediaFetch,
          onReplaced,
        },
        directory,
        signal: workSignal,
        pause: sleep,
        hasher: receipts.hasher,
        tracer,
        onProgress: (fraction) => progress.report('downloading_inputs', fraction),
      },
      engine,
      log,
    );
    if (media.kind === 'placed') storage.prepare(media.path);
    return media;
  }

  async function processInputs(media: FetchedMedia, workSignal: AbortSignal): Promise<FinishedResult> {
    const failed = new AbortController();
    const hashSignal = AbortSignal.any([workSignal, failed.signal]);
    const hashing = Promise.all([
      receipts.hashInputs(job, media, hashSignal),
      receipts.hashAdditions(media, hashSignal),
    ]);
    // Awaited below, unless the processing fails first.
    hashing.catch(() => undefined);
    try {
      await enter('processing');
      // The engine completes a placed result in place, so it must not have the file while the inputs are read from it.
      if (media.kind === 'placed') await hashing;
      const { proof, ...result } = await processMedia(job, media, directory, engine, {
        signal: workSignal,
        onProgress: (fraction) => progress.report('processing', fraction),
        onWritten: (path) => storage.prepare(path),
        tracer,
      });
      const { country } = exit();
      const exitCountry = country === undefined ? {} : { exitCountry: country };
      const uses = media.linkUses?.map(({ profiles, ...use }) => ({ ...use, profiles: [...profiles] }));
      const links = uses === undefined ? {} : { links: uses };
      const [inputs, files] = await hashing;
      const addedFiles = files === undefined ? {} : { addedFiles: files };
      return { ...result, evidence: { startedAt, ...exitCountry, inputs, ...links, ...addedFiles, proof } };
    } finally {
      failed.abort(new Error('the run has ended'));
      if (media.kind === 'streamed') await media.operation.stop();
    }
  }

  async function enter(state: EnteredStage): Promise<void> {
    signal.throwIfAborted();
    progress.report(state, 0);
    runMetrics.enterStage(state);
    if (!(await stages.enter(state))) throw new RunLost();
  }
}
