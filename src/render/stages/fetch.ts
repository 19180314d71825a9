import type { Logger } from 'pino';
import type { Job } from '../../contract/job.ts';
import { type DownloadContext, downloadInputs, type FetchedInput } from '../download/download.ts';
import { downloadPlaced, type PlacedDownload } from '../download/placed.ts';

/** The inputs of a job as files; or their media already in its place in the result. */
export type FetchedMedia = { readonly inputs: readonly FetchedInput[] } | { readonly placed: PlacedDownload };

/**
 * Fetches what a job needs, straight to its place where that is possible.
 *
 * @throws MillraceError of the download.
 */
export async function fetchMedia(job: Job, context: DownloadContext, log: Logger): Promise<FetchedMedia> {
  const placed = await downloadPlaced(job, context);
  if (typeof placed !== 'string') return { placed };
  log.debug({ reason: placed }, 'the inputs are fetched whole');
  return { inputs: await downloadInputs(job, context) };
}
