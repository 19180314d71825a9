import type { Logger } from 'pino';
import { MillraceError, toMillraceError } from '../../contract/errors.ts';
import type { Exits } from '../../egress/exits.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import type { RunRecord } from '../../metrics/run-metrics.ts';
import { pause } from '../../pause.ts';
import type { Sealer } from '../../sealing.ts';
import type { Storage } from '../../storage/storage.ts';
import { diskFull, isDiskFull } from '../engine/disk-full.ts';
import type { Engine } from '../engine/engine.ts';
import { fileNameOf } from '../file-name.ts';
import type { JobProgress } from '../progress.ts';
import type { ClaimedJob, Queue, StoredFile } from '../queue.ts';
import { type FetchedMedia, fetchMedia } from '../stages/fetch.ts';
import { type ProvenFile, processMedia } from '../stages/process.ts';
import { untilAnswered } from './until-answered.ts';
import type { WorkFolders } from './work-folders.ts';

/** What running a job needs. */
export interface RunServices {
  readonly queue: Queue;
  readonly exits: Exits;
  readonly engine: Engine;
  readonly storage: Storage;
  readonly sealer: Sealer;
  readonly folders: WorkFolders;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** The job is no longer this worker's: it has expired, was started anew, was given to another worker, or cancelled. */
export class RunLost extends Error {
  override readonly name = 'RunLost';
  /** `cancelled` where the worker was told so. */
  readonly how: 'lost' | 'cancelled';

  constructor(how: RunLost['how'] = 'lost') {
    super();
    this.how = how;
  }
}

/** The worker stops; its jobs go back to the queue. */
export class WorkerStopping extends Error {
  override readonly name = 'WorkerStopping';
}

/**
 * Carries out a job: download, process, upload. Ends it as done or failed, or leaves it to others when it is lost or
 * handed back. What it has fetched is left on the disk only while a later run of this worker may go on with it.
 */
export async function runJob(
  claimed: ClaimedJob,
  progress: JobProgress,
  signal: AbortSignal,
  services: RunServices,
): Promise<void> {
  const { run, id, former } = claimed;
  const { queue, storage, folders } = services;
  const log = services.log.child({ job: id, run });
  const record = services.metrics.run();
  /** Whether the file may be the job's: so it is, too, while nobody knows whether the database has heard of its end. */
  let published = false;
  /** Whether this worker may be given the job again, and go on with what is there. */
  let resumable = false;
  log.info('job taken up');
  try {
    const directory = await folders.open(run, former?.run, signal);
    const file = await carryOut(claimed, directory, progress, signal, { ...services, log, record });
    published = true;
    published = await untilAnswered(() => queue.complete(run, file), { log });
    if (!published) throw new RunLost();
    record.end('ok');
    log.info('job done');
  } catch (thrown) {
    const cause = signal.aborted ? signal.reason : thrown;
    resumable = cause instanceof RunLost || cause instanceof WorkerStopping;
    if (cause instanceof RunLost) {
      record.end(cause.how);
      if (cause.how === 'cancelled') log.info('job given up: its owner has cancelled it');
      else log.warn({ err: thrown }, 'job given up: it is no longer ours');
    } else if (cause instanceof WorkerStopping) {
      record.end('handed_back');
      await untilAnswered(() => queue.handBack(run), { log });
    } else await endAsFailed(thrown);
  } finally {
    if (resumable) folders.leave(run);
    else await folders.remove(run);
    if (!published) await storage.delete(run);
  }

  async function endAsFailed(thrown: unknown): Promise<void> {
    const error = isDiskFull(thrown) ? diskFull(thrown) : toMillraceError(thrown);
    record.end(error.code);
    log.warn({ err: thrown, code: error.code, input: error.input }, 'job failed');
    await untilAnswered(() => queue.fail(run, error, progress.percent), { log });
  }
}

/** Everything up to the stored file. */
async function carryOut(
  { run, job }: ClaimedJob,
  directory: string,
  progress: JobProgress,
  signal: AbortSignal,
  { queue, exits, engine, storage, sealer, log, record }: RunServices & { readonly record: RunRecord },
): Promise<StoredFile> {
  const media = await fetchMedia(
    job,
    {
      egress: job.exit === undefined ? exits.ofJobs : exits.kept(job.exit),
      directory,
      signal,
      pause,
      onProgress: (fraction) => progress.report('downloading_inputs', fraction),
    },
    engine,
    log,
  );
  if ('placed' in media) storage.foresee(media.placed.path);
  const result = await processed(media);
  if (result.notes.length > 0) log.info({ notes: result.notes }, 'the result differs from its inputs');
  await enter('uploading_output');
  await store(result);
  signal.throwIfAborted();
  const link = sealer.seal('file-link', { key: run });
  return { key: run, name: fileNameOf(job), size: result.bytes, link, notes: result.notes };

  async function processed(media: FetchedMedia): Promise<ProvenFile> {
    try {
      await enter('processing');
      return await processMedia(job, media, directory, engine, {
        signal,
        onProgress: (fraction) => progress.report('processing', fraction),
      });
    } finally {
      if ('inputs' in media) await media.ahead?.stop();
    }
  }

  async function enter(state: 'processing' | 'uploading_output'): Promise<void> {
    signal.throwIfAborted();
    progress.report(state, 0);
    record.stage(state);
    const entered = await untilAnswered(() => queue.enter(run, state, progress.percent), { log, signal });
    if (!entered) throw new RunLost();
  }

  async function store({ path, bytes: size }: ProvenFile): Promise<void> {
    const onProgress = (fraction: number) => progress.report('uploading_output', fraction);
    try {
      await storage.put(run, path, { size, signal, onProgress });
    } catch (error) {
      signal.throwIfAborted();
      const message = 'The finished file could not be stored. Start the same job again.';
      throw new MillraceError('storage_failed', message, { cause: error });
    }
  }
}
