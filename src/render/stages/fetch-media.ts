import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Job } from '../../contract/job.ts';
import { makeFolder } from '../../files/folder.ts';
import { type DownloadContext, downloadInputs, type FetchedInput } from '../download/download-inputs.ts';
import { createTimeBudgets } from '../download/fetch-within-budget.ts';
import { downloadPlaced, type PlacedDownload } from '../download/placed-download.ts';
import type { Engine } from '../engine/engine.ts';
import { fragmentPlacerFor } from './engine-placer.ts';
import { openStreamingOperation, type StreamingOperation } from './streaming-operation.ts';

/**
 * Name of the folder for inputs within a job's folder. It contains everything that another run of the job can resume.
 */
export const inputsFolder = 'inputs';

/** The inputs of a job as complete files. */
interface WholeMedia {
  readonly kind: 'whole';
  readonly inputs: readonly FetchedInput[];
  /** Human-readable reason why neither placing nor streaming was possible. */
  readonly reason: string;
}

/**
 * The inputs of a job as complete files, and the operation that has processed them during the download or is still
 * processing them.
 */
interface StreamedMedia {
  readonly kind: 'streamed';
  readonly inputs: readonly FetchedInput[];
  readonly operation: StreamingOperation;
  /** Human-readable reason why placing was not possible. */
  readonly reason: string;
}

/** The fetched inputs of a job. */
export type FetchedMedia = PlacedDownload | StreamedMedia | WholeMedia;

/**
 * Fetches the inputs of a job, except the bytes that an earlier run has stored. Writes them directly to their place in
 * the result if possible. HLS inputs are processed while they arrive; the caller must stop an operation that may still
 * run. Each input has one timeout for all fallbacks together.
 *
 * @throws MillraceError of the download.
 */
export async function fetchMedia(
  job: Job,
  context: Omit<DownloadContext, 'budgets'>,
  engine: Engine,
  log: Logger,
): Promise<FetchedMedia> {
  const directory = join(context.directory, inputsFolder);
  await makeFolder(directory);
  const download = { ...context, directory, budgets: createTimeBudgets(job) };
  const placement = await downloadPlaced(job, fragmentPlacerFor(job), download);
  if (placement.kind === 'placed') return placement;
  const { reason } = placement;
  log.debug({ reason }, 'the inputs are fetched as whole files');
  const streaming = openStreamingOperation(job, { ...context, engine, log });
  switch (streaming.kind) {
    case 'declined': {
      const inputs = await downloadInputs(job, download);
      return { kind: 'whole', inputs, reason: `${reason}; ${streaming.reason}` };
    }
    case 'streaming': {
      const { operation } = streaming;
      try {
        const inputs = await downloadInputs(job, { ...download, hls: operation.listener });
        return { kind: 'streamed', inputs, operation, reason };
      } catch (error) {
        await operation.stop();
        throw error;
      }
    }
  }
}
