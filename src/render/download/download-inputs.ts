import { MillraceError } from '../../contract/errors.ts';
import type { Job, JobInput } from '../../contract/job.ts';
import type { Egress } from '../../egress/egress.ts';
import type { Hasher } from '../../files/hashing/hasher.ts';
import type { Rendition } from '../../hls/master-playlist.ts';
import type { StartedHash } from './arrival-hash.ts';
import { downloadFile } from './download-file.ts';
import { downloadHls, type HlsListener, type PlaylistFilePart } from './download-hls.ts';
import { fetchWithinBudget, type TimeBudget } from './fetch-within-budget.ts';
import { filePathOf, stemOf, subjectOf } from './input-file.ts';
import { type InputProgress, overallProgress } from './input-progress.ts';
import type { JobLinks } from './links/job-links.ts';
import type { Pause } from './retry-budget.ts';
import { createSizeGuards, type SizeGuard } from './size-guard.ts';
import { RangesUnsupported, type Source, SourceChanged } from './source-request.ts';
import { createTaskGroup } from './task-group.ts';

/** Maximum number of inputs fetched concurrently. Each opens several connections. */
const MAX_CONCURRENT_INPUTS = 4;

/** A file of an input. */
export interface FetchedFile {
  /** One file, or several in playing order if an HLS playlist has discontinuities. */
  readonly parts: readonly FetchedPart[];
  readonly bytes: number;
  /** Its hash, if it was started during the download. */
  readonly startedHash?: StartedHash;
}

/** A file, or a part of one. */
type FetchedPart = Pick<PlaylistFilePart, 'path'> & Partial<PlaylistFilePart>;

/** A fully fetched source. */
export interface FetchedInput {
  /** One file, or two if the audio has a separate playlist. */
  readonly files: readonly FetchedFile[];
  /** Renditions that its playlist offers but that were not fetched. */
  readonly skippedRenditions?: readonly Rendition[];
}

/** Parameters of a download, in addition to the job. */
export interface DownloadContext {
  readonly egress: Egress;
  /** Folder for the files. Files of the same job that an earlier process left here are resumed. */
  readonly directory: string;
  readonly signal: AbortSignal;
  /** Time budget of each input, shared by all fallbacks. */
  readonly budgets: readonly TimeBudget[];
  /** The links of the inputs, shared by all fallbacks. Default: those of the job, which are never replaced. */
  readonly links?: JobLinks | undefined;
  /** Waits before a retry. */
  readonly pause: Pause;
  /** Called with the fraction of all inputs that has arrived, 0 to 1. */
  readonly onProgress: (fraction: number) => void;
  /** Hashes inputs while they arrive. If absent, they are hashed later. */
  readonly hasher?: Pick<Hasher, 'open'> | undefined;
  /** Receives the progress of HLS inputs. */
  readonly hls?: HlsListener | undefined;
}

/**
 * Fetches the inputs of a job, each within its own time budget.
 *
 * @throws MillraceError when an input fails: `source_refused`, `source_unsupported`, `input_too_large`,
 * `download_timeout`, `download_incomplete`, `address_refused` and others. The first failure aborts the other inputs.
 */
export async function downloadInputs(job: Job, context: DownloadContext): Promise<FetchedInput[]> {
  const group = createTaskGroup(context.signal);
  const sizeGuards = createSizeGuards(job);
  const progress: InputProgress[] = job.inputs.map(() => ({ fraction: 0 }));
  const fetchedInputs: FetchedInput[] = [];
  let nextIndex = 0;

  const fetch = async (input: JobInput, sizeGuard: SizeGuard, index: number) => {
    fetchedInputs[index] = await downloadInput(input, index, sizeGuard, {
      ...context,
      subject: subjectOf(job, input),
      signal: group.signal,
      onInputProgress(now) {
        progress[index] = now;
        context.onProgress(overallProgress(progress));
      },
    });
  };
  const runWorker = async () => {
    for (;;) {
      const index = nextIndex;
      const [input, sizeGuard] = [job.inputs[index], sizeGuards[index]];
      if (input === undefined || sizeGuard === undefined) return;
      nextIndex += 1;
      await fetch(input, sizeGuard, index);
    }
  };
  for (let worker = 0; worker < MAX_CONCURRENT_INPUTS; worker += 1) group.run(runWorker);
  await group.wait();
  return fetchedInputs;
}

type InputContext = Omit<DownloadContext, 'onProgress'> & {
  /** Identifies the download in its journal. */
  readonly subject: unknown;
  readonly onInputProgress: (progress: InputProgress) => void;
};

async function downloadInput(
  input: JobInput,
  index: number,
  sizeGuard: SizeGuard,
  context: InputContext,
): Promise<FetchedInput> {
  return fetchWithinBudget(input, index, context, async (source) => {
    try {
      return await fetchInput(input, index, source, sizeGuard, context);
    } catch (error) {
      if (!(error instanceof RangesUnsupported || error instanceof SourceChanged)) throw error;
      const message = `${source.name} could not be fetched completely: ${error.message}. Start the same job again.`;
      throw new MillraceError('download_incomplete', message, { cause: error });
    }
  });
}

async function fetchInput(
  input: JobInput,
  index: number,
  source: Source,
  sizeGuard: SizeGuard,
  { directory, subject, onInputProgress, hasher, hls }: InputContext,
): Promise<FetchedInput> {
  if (input.ext === 'm3u8') {
    return await downloadHls({
      source,
      concurrency: input.hlsConcurrency,
      stem: stemOf(directory, index),
      subject,
      sizeGuard,
      onProgress: (fraction) => onInputProgress({ fraction }),
      onFiles: (files) => hls?.onFiles(index, files),
      onFileProgress: (path, fileProgress) => hls?.onFileProgress(path, fileProgress),
    });
  }
  const path = filePathOf(directory, input, index);
  const { size: bytes, startedHash } = await downloadFile({
    source,
    chunks: input.chunks,
    path,
    subject,
    hasher,
    sizeGuard,
    onBytes: (bytesReceived, total) => {
      // If the size is unknown, progress still advances, but ever more slowly.
      if (total === undefined) onInputProgress({ fraction: bytesReceived / (bytesReceived + 8_000_000) });
      else onInputProgress({ fraction: total === 0 ? 1 : bytesReceived / total, bytes: total });
    },
  });
  return { files: [{ parts: [{ path }], bytes, ...(startedHash && { startedHash }) }] };
}
