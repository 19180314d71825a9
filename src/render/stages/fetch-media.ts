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

/** The folder, in that of a job, that its inputs are fetched to: all that another run of the job can resume. */
export const inputsFolder = 'inputs';

/** The inputs of a job as complete files. */
interface WholeMedia {
  readonly kind: 'whole';
  readonly inputs: readonly FetchedInput[];
  /** Why neither placing nor streaming was possible, in words. */
  readonly reason: string;
}

/** The inputs of a job as complete files that an operation has processed while they arrived, or still does. */
interface StreamedMedia {
  readonly kind: 'streamed';
  readonly inputs: readonly FetchedInput[];
  readonly operation: StreamingOperation;
  /** Why placing was not possible, in words. */
  readonly reason: string;
}

/** How the inputs of a job were fetched. */
export type FetchedMedia = PlacedDownload | StreamedMedia | WholeMedia;

/**
 * Fetches what a job needs and no former run has stored: straight to its place in the result if that is possible. HLS
 * inputs are processed while they arrive; the caller must stop an operation that may still run. Each input has its
 * timeout for all fallbacks together.
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
  log.debug({ reason }, 'the inputs are fetched whole');
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
