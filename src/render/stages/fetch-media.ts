import { join } from 'node:path';
import type { Logger } from 'pino';
import { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import { sizeText } from '../../contract/size-text.ts';
import { makeFolder } from '../../files/folder.ts';
import type { AdditionContext } from '../download/additions/fetch-addition.ts';
import { type FetchedAdditions, fetchAdditions, hasAddedFiles } from '../download/additions/fetch-additions.ts';
import { type DownloadContext, downloadInputs, type FetchedInput } from '../download/download-inputs.ts';
import { createTimeBudgets } from '../download/fetch-within-budget.ts';
import { createJobMemory } from '../download/held-memory.ts';
import { openJournal } from '../download/journal.ts';
import { createJobLinks, type JobLinks } from '../download/links/job-links.ts';
import type { LinkServices } from '../download/links/link-port.ts';
import { createLinkUses, type LinkUse } from '../download/links/link-uses.ts';
import { downloadPlaced, type PlacedDownload } from '../download/placed-download.ts';
import { SourceChanged } from '../download/source-request.ts';
import type { Engine } from '../engine/engine.ts';
import { totalFileBytes } from './engine-inputs.ts';
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

/** The fetched inputs of a job, in one of three forms. */
type InputMedia = PlacedDownload | StreamedMedia | WholeMedia;

/** The fetched inputs of a job. */
export type FetchedMedia = InputMedia & {
  /** The files that the job adds to its result. Absent if it adds none. */
  readonly additions?: FetchedAdditions;
  /** How the links of each input were used. Absent if the caller named the inputs. */
  readonly linkUses?: readonly LinkUse[];
};

/** Parameters of {@link fetchMedia}, in addition to the job. */
type MediaContext = Omit<DownloadContext, 'budgets' | 'links' | 'heldMemory'> & {
  /** How links are replaced and reported. If absent, neither happens. */
  readonly linkServices?: LinkServices;
};

/**
 * Fetches the inputs of a job, except the bytes that an earlier run has stored. Writes them directly to their place in
 * the result if possible. HLS inputs are processed while they arrive; the caller must stop an operation that may still
 * run. Each input has one timeout and one link, which may be replaced, for all fallbacks together. The files that the job
 * adds to its result are fetched at the same time.
 *
 * @throws MillraceError of the download.
 */
export async function fetchMedia(
  job: Job,
  { linkServices, ...rest }: MediaContext,
  engine: Engine,
  log: Logger,
): Promise<FetchedMedia> {
  const context = { ...rest, heldMemory: createJobMemory() };
  const directory = join(context.directory, inputsFolder);
  await makeFolder(directory);
  if (!hasAddedFiles(job)) return await fetchInputs(undefined);
  return await fetchWithAdditions(job, { ...context, directory }, fetchInputs);

  async function fetchInputs(additions: Promise<FetchedAdditions> | undefined): Promise<FetchedMedia> {
    if (job.origin === undefined) return await fetchThrough(createJobLinks(job, linkServices), additions);
    const journal = await openJournal(join(directory, 'links.journal'), [job.id, job.inputs, job.origin]);
    try {
      const uses = createLinkUses(job.inputs.length, journal);
      return { ...(await fetchThrough(createJobLinks(job, linkServices, uses), additions)), linkUses: uses.inputs };
    } finally {
      await journal.close();
    }
  }

  async function fetchThrough(links: JobLinks, additions: Promise<FetchedAdditions> | undefined): Promise<InputMedia> {
    const download = { ...context, directory, budgets: createTimeBudgets(job), links };
    try {
      const placement = await downloadPlaced(job, fragmentPlacerFor(job), download);
      if (placement.kind === 'placed') return placement;
      const { reason } = placement;
      log.debug({ reason }, 'the inputs are fetched as whole files');
      const openOperation = () => openStreamingOperation(job, { ...context, engine, log, additions });
      return await fetchWithRestarts(links, () => fetchWhole(job, download, reason, openOperation()));
    } finally {
      links.close();
    }
  }
}

/**
 * Fetches the inputs and, at the same time, the files that the job adds to its result.
 *
 * @throws MillraceError as `fetchInputs`, or `input_too_large` if both together exceed the job's limit; an error of the
 * file system.
 */
async function fetchWithAdditions(
  job: Job,
  context: AdditionContext & { readonly directory: string },
  fetchInputs: (additions: Promise<FetchedAdditions>) => Promise<FetchedMedia>,
): Promise<FetchedMedia> {
  const failed = new AbortController();
  const additions = fetchAdditions(job, { ...context, signal: AbortSignal.any([context.signal, failed.signal]) });
  // Awaited below, unless the inputs fail first.
  additions.catch(() => undefined);
  let media: FetchedMedia | undefined;
  try {
    media = await fetchInputs(additions);
    const added = await additions;
    refuseTooLarge(job, bytesOf(media) + added.bytes);
    return { ...media, additions: added };
  } catch (error) {
    failed.abort(error);
    await additions.catch(() => undefined);
    if (media?.kind === 'streamed') await media.operation.stop();
    throw error;
  }
}

function bytesOf(media: InputMedia): number {
  return media.kind === 'placed'
    ? media.heads.reduce((sum, { size }) => sum + size, 0)
    : totalFileBytes(media.inputs.flatMap(({ files }) => files));
}

function refuseTooLarge({ inputSize: { total } }: Job, bytes: number): void {
  if (bytes <= total) return;
  const message =
    `The inputs, the cover and the subtitles are too large together: ${sizeText(bytes)}, but the limit is ` +
    `${sizeText(total)}. Use smaller sources or increase limits.inputSize.`;
  throw new MillraceError('input_too_large', message, { input: null });
}

/**
 * Repeats a fetch if a new link led to other media. An input that is already processed cannot change in place. The
 * other inputs continue with the data on the disk. The number of new links limits the repetitions.
 */
async function fetchWithRestarts<Result>(links: JobLinks, fetch: () => Promise<Result>): Promise<Result> {
  for (;;) {
    const { replacements } = links;
    try {
      return await fetch();
    } catch (error) {
      const hasChanged = error instanceof Error && error.cause instanceof SourceChanged;
      if (!hasChanged || links.replacements === replacements) throw error;
    }
  }
}

async function fetchWhole(
  job: Job,
  download: DownloadContext,
  reason: string,
  streaming: ReturnType<typeof openStreamingOperation>,
): Promise<WholeMedia | StreamedMedia> {
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
