import { join } from 'node:path';
import { MillraceError } from '../../contract/errors.ts';
import type { Job, JobInput } from '../../contract/job.ts';
import type { Egress } from '../../egress/egress.ts';
import type { Rendition } from '../../hls/master-playlist.ts';
import { downloadHls, type HlsListener, type PlaylistFilePart } from './hls.ts';
import { type InputProgress, overallProgress } from './input-progress.ts';
import { type TimeBudget, withSource } from './input-source.ts';
import type { Pause } from './retry-budget.ts';
import { openSizeAccounts, type SizeAccount } from './size-account.ts';
import { RangesUnsupported, type Source, SourceChanged } from './source.ts';
import { createTaskGroup } from './task-group.ts';
import { downloadFile } from './whole-file.ts';

/** Inputs fetched at once; each opens several connections of its own. */
const INPUTS_AT_ONCE = 4;

/** A file of an input. */
export interface FetchedFile {
  /** Its files: one, or several in playing order if an HLS playlist has discontinuities. */
  readonly parts: readonly FetchedPart[];
  readonly bytes: number;
}

/** A file, or a part of one. */
export type FetchedPart = Pick<PlaylistFilePart, 'path'> & Partial<PlaylistFilePart>;

/** A source that has been fetched whole. */
export interface FetchedInput {
  /** One, or a second one for sound that has a playlist of its own. */
  readonly files: readonly FetchedFile[];
  /** Renditions that its playlist offers and that were not fetched. */
  readonly leftOut?: readonly Rendition[];
}

/** What fetching needs beside the job. */
export interface DownloadContext {
  readonly egress: Egress;
  /** Where the files go. What another process has left there of the same job is resumed. */
  readonly directory: string;
  readonly signal: AbortSignal;
  /** Of each input, for all fallbacks together. */
  readonly budgets: readonly TimeBudget[];
  /** Waits before a retry. */
  readonly pause: Pause;
  /** Called with the part of all inputs that has arrived, 0 to 1. */
  readonly onProgress: (fraction: number) => void;
  /** Follows how HLS inputs arrive. */
  readonly hls?: HlsListener | undefined;
}

/**
 * Fetches the inputs of a job, each within its own budget of time.
 *
 * @throws MillraceError `source_refused`, `source_unsupported`, `input_too_large`, `download_timeout`,
 *   `download_incomplete`, `address_refused` … of the first input that fails; the others are aborted.
 */
export async function downloadInputs(job: Job, context: DownloadContext): Promise<FetchedInput[]> {
  const group = createTaskGroup(context.signal);
  const accounts = openSizeAccounts(job);
  const progress: InputProgress[] = job.inputs.map(() => ({ fraction: 0 }));
  const fetched: FetchedInput[] = [];
  let taken = 0;

  const fetch = async (input: JobInput, account: SizeAccount, index: number) => {
    fetched[index] = await downloadInput(input, index, account, {
      ...context,
      subject: [job.id, input],
      signal: group.signal,
      onInputProgress(now) {
        progress[index] = now;
        context.onProgress(overallProgress(progress));
      },
    });
  };
  const work = async () => {
    for (;;) {
      const index = taken;
      const [input, account] = [job.inputs[index], accounts[index]];
      if (input === undefined || account === undefined) return;
      taken += 1;
      await fetch(input, account, index);
    }
  };
  for (let worker = 0; worker < INPUTS_AT_ONCE; worker += 1) group.run(work);
  await group.done();
  return fetched;
}

type InputContext = Omit<DownloadContext, 'onProgress'> & {
  /** What is fetched, for its journal. */
  readonly subject: unknown;
  readonly onInputProgress: (progress: InputProgress) => void;
};

async function downloadInput(
  input: JobInput,
  index: number,
  account: SizeAccount,
  context: InputContext,
): Promise<FetchedInput> {
  return withSource(input, index, context, async (source) => {
    try {
      return await fetchInput(input, index, source, account, context);
    } catch (error) {
      if (!(error instanceof RangesUnsupported || error instanceof SourceChanged)) throw error;
      const message = `${source.name} cannot be fetched whole: ${error.message}. Start the same job again.`;
      throw new MillraceError('download_incomplete', message, { cause: error });
    }
  });
}

async function fetchInput(
  input: JobInput,
  index: number,
  source: Source,
  account: SizeAccount,
  { directory, subject, onInputProgress, hls }: InputContext,
): Promise<FetchedInput> {
  const stem = join(directory, `input-${index + 1}`);
  if (input.ext === 'm3u8') {
    return await downloadHls({
      source,
      concurrency: input.hlsConcurrency,
      stem,
      subject,
      account,
      onProgress: (fraction) => onInputProgress({ fraction }),
      onFiles: (files) => hls?.onFiles(index, files),
      onGrowth: (path, growth) => hls?.onGrowth(path, growth),
    });
  }
  const path = `${stem}.${input.ext}`;
  const bytes = await downloadFile({
    source,
    chunks: input.chunks,
    path,
    subject,
    account,
    onBytes: (arrived, total) => {
      // Where the size is unknown, progress still moves, ever more slowly.
      if (total === undefined) onInputProgress({ fraction: arrived / (arrived + 8_000_000) });
      else onInputProgress({ fraction: total === 0 ? 1 : arrived / total, bytes: total });
    },
  });
  return { files: [{ parts: [{ path }], bytes }] };
}
