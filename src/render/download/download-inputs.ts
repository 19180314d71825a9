import type { Caller } from '../../contract/caller.ts';
import { MillraceError } from '../../contract/errors.ts';
import { inertTypeOf } from '../../contract/inert-media-types.ts';
import type { Job, JobInput } from '../../contract/job.ts';
import type { Egress } from '../../egress/egress.ts';
import type { Hasher } from '../../files/hashing/hasher.ts';
import type { Tracer } from '../../tracing/tracer.ts';
import { type ContainerFormat, containerFormats } from '../engine/formats/container-formats.ts';
import type { InputPart } from '../engine/tasks/task.ts';
import type { StartedHash } from './arrival-hash.ts';
import { downloadFile } from './download-file.ts';
import { downloadHls, type HlsListener, type PlaylistFilePart, type PlaylistOmissions } from './download-hls.ts';
import { clipOutOfRange, excerptStarts, type TimedExcerpt } from './excerpt/clip-range.ts';
import { downloadExcerpt, playsOverTime } from './excerpt/download-excerpt.ts';
import { fetchWithinBudget, type TimeBudget } from './fetch-within-budget.ts';
import type { HeldMemory } from './held-memory.ts';
import { excerptPathOf, filePathOf, stemOf, subjectOf } from './input-file.ts';
import { fractionOf, type InputProgress, overallProgress } from './input-progress.ts';
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
  /** Language tag of its audio, if a playlist states it. */
  readonly language?: string;
  /** Its hash, if it was started during the download. */
  readonly startedHash?: StartedHash;
  /** Size of the source in bytes, if only the part that a clip needs was fetched and the size is known. */
  readonly sourceBytes?: number;
}

/** A file, or a part of one. */
type FetchedPart = Pick<PlaylistFilePart, 'path'> & Partial<PlaylistFilePart> & Pick<InputPart, 'hasStatedSize'>;

/** A fetched source: all of it, or the part that a clip needs. */
export interface FetchedInput extends PlaylistOmissions {
  /** One file, or two if the audio has a separate playlist. */
  readonly files: readonly FetchedFile[];
  /** Human-readable reason why the whole file was fetched for a clip. */
  readonly wholeReason?: string;
}

/** A fetched input, and its excerpt if it has one. */
interface ClippedInput {
  readonly input: FetchedInput;
  readonly timing?: TimedExcerpt;
  /** Duration of the source in seconds, if the clip starts after its end. */
  readonly endsBefore?: number;
}

/** Parameters of a download, in addition to the job. */
export interface DownloadContext {
  readonly egress: Egress;
  /** Whom the inputs are fetched for. */
  readonly caller: Caller;
  /** Folder for the files. Files of the same job that an earlier process left here are resumed. */
  readonly directory: string;
  readonly signal: AbortSignal;
  /** Time budget of each input, shared by all fallbacks. */
  readonly budgets: readonly TimeBudget[];
  /** The links of the inputs, shared by all fallbacks. Default: those of the job, which are never replaced. */
  readonly links?: JobLinks | undefined;
  /** What the downloads of the job hold in memory, shared by all fallbacks. Default: a budget for each input. */
  readonly heldMemory?: HeldMemory | undefined;
  /** Waits before a retry. */
  readonly pause: Pause;
  /** Called with the fraction of all inputs that has arrived, 0 to 1. */
  readonly onProgress: (fraction: number) => void;
  /** Hashes inputs while they arrive. If absent, they are hashed later. */
  readonly hasher?: Pick<Hasher, 'open'> | undefined;
  /** Receives the progress of HLS inputs. */
  readonly hls?: HlsListener | undefined;
  readonly tracer?: Tracer | undefined;
}

/**
 * Fetches the inputs of a job, each within its own time budget.
 *
 * @throws MillraceError when an input fails: `source_refused`, `source_unsupported`, `input_too_large`,
 * `download_timeout`, `download_incomplete`, `address_refused`, `clip_out_of_range` and others. The first failure
 * aborts the other inputs.
 */
export async function downloadInputs(job: Job, context: DownloadContext): Promise<FetchedInput[]> {
  const group = createTaskGroup(context.signal);
  const sizeGuards = createSizeGuards(job);
  const progress: InputProgress[] = job.inputs.map(() => ({ fraction: 0 }));
  const fetchedInputs: ClippedInput[] = [];
  let nextIndex = 0;

  const fetch = async (input: JobInput, sizeGuard: SizeGuard, index: number) => {
    fetchedInputs[index] = await downloadInput(input, index, sizeGuard, {
      ...context,
      job,
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
  requireClipInRange(job, fetchedInputs);
  return withExcerptStarts(fetchedInputs);
}

/** Throws `clip_out_of_range` if the clip starts after the end of every input. */
function requireClipInRange({ clip, inputs }: Job, fetchedInputs: readonly ClippedInput[]): void {
  const ends = fetchedInputs.flatMap(({ endsBefore }) => endsBefore ?? []);
  if (clip === undefined || ends.length === 0 || ends.length < inputs.filter(playsOverTime).length) return;
  throw clipOutOfRange(clip, Math.max(...ends));
}

/** States when the excerpts begin, which depends on the other inputs. */
function withExcerptStarts(fetchedInputs: readonly ClippedInput[]): FetchedInput[] {
  const starts = excerptStarts(fetchedInputs.flatMap(({ timing }) => timing ?? []));
  let next = 0;
  return fetchedInputs.map(({ input, timing }) => {
    if (timing === undefined) return input;
    const excerptStart = starts[next] ?? 0;
    next += 1;
    const files = input.files.map((file) => ({
      ...file,
      parts: file.parts.map((part) => ({ ...part, excerptStart })),
    }));
    return { ...input, files };
  });
}

type InputContext = Omit<DownloadContext, 'onProgress'> & {
  readonly job: Job;
  /** Identifies the download in its journal. */
  readonly subject: unknown;
  readonly onInputProgress: (progress: InputProgress) => void;
};

async function downloadInput(
  input: JobInput,
  index: number,
  sizeGuard: SizeGuard,
  context: InputContext,
): Promise<ClippedInput> {
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
  context: InputContext,
): Promise<ClippedInput> {
  const { job, directory, subject, onInputProgress, hls } = context;
  if (input.ext === 'm3u8') {
    const fetched = await downloadHls({
      source,
      concurrency: input.hlsConcurrency,
      stem: stemOf(directory, index),
      subject,
      sizeGuard,
      clip: job.clip,
      stores: storesOf(job),
      onProgress: (fraction) => onInputProgress({ fraction }),
      onFiles: (files) => hls?.onFiles(index, files),
      onFileProgress: (path, fileProgress) => hls?.onFileProgress(path, fileProgress),
    });
    return { input: fetched };
  }
  const onBytes = (bytesReceived: number, total: number | undefined) => {
    // If the size is unknown, progress still advances, but ever more slowly.
    if (total === undefined) onInputProgress({ fraction: bytesReceived / (bytesReceived + 8_000_000) });
    else onInputProgress({ fraction: fractionOf(bytesReceived, total), bytes: total });
  };
  const transfer = { source, chunks: input.chunks, sizeGuard, onBytes };
  const { clip } = job;
  if (clip === undefined || !playsOverTime(input)) return { input: await fetchWhole(input, index, transfer, context) };
  const path = excerptPathOf(directory, input, index);
  const hasOtherInputs = job.inputs.filter(playsOverTime).length > 1;
  const excerpt = await downloadExcerpt(input.ext, path, { ...transfer, clip, hasOtherInputs });
  if (excerpt.kind === 'declined') {
    const whole = await fetchWhole(input, index, transfer, context);
    return { input: { ...whole, wholeReason: excerpt.reason } };
  }
  const { bytes, sourceBytes, timing, endsBefore } = excerpt;
  const file = { parts: [{ path }], bytes, sourceBytes };
  return { input: { files: [file] }, timing, ...(endsBefore === undefined ? {} : { endsBefore }) };
}

/** Whether files with an extension are audio, video or images, none of which begins with text. */
function isMedia(ext: string): boolean {
  return /^(?:audio|video|image)\//.test(inertTypeOf(`.${ext}`));
}

/** Returns whether the result of a job can store a video codec; undefined if it stores inputs unchanged. */
function storesOf({ operation, output }: Job): ((codec: string) => boolean) | undefined {
  const formats: Readonly<Record<string, Pick<ContainerFormat, 'codecs'>>> = containerFormats;
  const codecs = Object.hasOwn(formats, output.ext) ? formats[output.ext]?.codecs.video : undefined;
  return operation.type === 'no_process' || codecs === undefined ? undefined : (codec) => codecs.includes(codec);
}

async function fetchWhole(
  input: JobInput,
  index: number,
  transfer: Pick<Parameters<typeof downloadFile>[0], 'source' | 'chunks' | 'sizeGuard' | 'onBytes'>,
  { job, directory, subject, hasher }: InputContext,
): Promise<FetchedInput> {
  const path = filePathOf(directory, input, index);
  let statedSize: number | undefined;
  const onBytes = (bytesReceived: number, total: number | undefined) => {
    statedSize = total;
    transfer.onBytes(bytesReceived, total);
  };
  const { size: bytes, startedHash } = await downloadFile({
    ...transfer,
    onBytes,
    path,
    subject,
    hasher,
    // The engine judges the inputs of other operations, whose containers it reads.
    refusesText: job.operation.type === 'no_process' && isMedia(input.ext),
  });
  const part = { path, ...(statedSize === bytes && { hasStatedSize: true as const }) };
  return { files: [{ parts: [part], bytes, ...(startedHash && { startedHash }) }] };
}
