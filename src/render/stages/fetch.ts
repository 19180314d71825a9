import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Job } from '../../contract/job.ts';
import { makeFolder } from '../../files/folder.ts';
import { type DownloadContext, downloadInputs, type FetchedInput } from '../download/download.ts';
import { openTimeBudgets } from '../download/input-source.ts';
import { downloadPlaced, type PlacedDownload } from '../download/placed.ts';
import type { Engine } from '../engine/engine.ts';
import { type Ahead, workAhead } from './ahead.ts';

/** Where a job's folder has what is fetched: all that another run of the job can go on with. */
export const inputsFolder = 'inputs';

/** The inputs of a job as files, perhaps worked on already; or their media already in its place in the result. */
export type FetchedMedia =
  | { readonly inputs: readonly FetchedInput[]; readonly ahead?: Ahead | undefined }
  | { readonly placed: PlacedDownload };

/**
 * Fetches what a job needs and is not there from a former run, straight to its place where that is possible. HLS inputs
 * are worked on while they arrive; who is given an operation that may still run stops it in the end. Each input has to be
 * there within its timeout, whatever roads are tried.
 *
 * @throws MillraceError of the download.
 */
export async function fetchMedia(
  job: Job,
  way: Omit<DownloadContext, 'budgets'>,
  engine: Engine,
  log: Logger,
): Promise<FetchedMedia> {
  const directory = join(way.directory, inputsFolder);
  await makeFolder(directory);
  const context = { ...way, directory, budgets: openTimeBudgets(job) };
  const placed = await downloadPlaced(job, context);
  if (typeof placed !== 'string') return { placed };
  log.debug({ reason: placed }, 'the inputs are fetched whole');
  const ahead = workAhead(job, { ...way, engine, log });
  try {
    return { inputs: await downloadInputs(job, { ...context, hls: ahead?.watch }), ahead };
  } catch (error) {
    await ahead?.stop();
    throw error;
  }
}
