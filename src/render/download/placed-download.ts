import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Job, JobInput } from '../../contract/job.ts';
import { removeFile } from '../../files/remove-tree.ts';
import { createArrivalHash, type StartedHash } from './arrival-hash.ts';
import type { ArrivalProof } from './arrival-proof.ts';
import { trackArrivedRanges } from './arrived-ranges.ts';
import { totalBytes } from './byte-ranges.ts';
import type { DownloadContext } from './download-inputs.ts';
import { type FetchedHead, fetchFragments, fetchHead, PlacementDeclined } from './fetch-fragments.ts';
import { fetchWithinBudget } from './fetch-within-budget.ts';
import type { FragmentedFileHead, FragmentPlacement, FragmentPlacer } from './fragment-placer.ts';
import { fractionOf, type InputProgress, overallProgress } from './input-progress.ts';
import { type Journal, openJournal } from './journal.ts';
import { endOfFragments, partsInResult, placedInput } from './placed-input.ts';
import { createPlacementRecord } from './placement-record.ts';
import { openResumableFile } from './resumable-file.ts';
import {
  digestOfPlacement,
  type ResumablePlacement,
  readResumablePlacement,
  recordPlacement,
} from './resumable-placement.ts';
import { salvageInputs } from './salvage-inputs.ts';
import type { ScatteredRange } from './scatter-writer.ts';
import { createSizeGuards, type SizeGuard } from './size-guard.ts';
import { RangesUnsupported, SourceChanged } from './source-request.ts';
import { type StoredBytes, withStoredBytes } from './stored-bytes.ts';
import { createTaskGroup } from './task-group.ts';

/**
 * Minimum number of inputs; usually one video and its audio. A single file is seldom a DASH file, and its head would
 * cost a request.
 */
const MIN_INPUTS = 2;

const placeableInputs = new Set(['mp4', 'm4a', 'm4v', 'm4s']);
const placeableOutputs = new Set(['mp4', 'm4a']);

/** A result whose media is written; only its index is missing. */
export interface PlacedDownload {
  readonly kind: 'placed';
  readonly path: string;
  /** The head of each input; the placement is derived from them. */
  readonly heads: readonly FragmentedFileHead[];
  /** The hashes of the inputs, where they were started during the download. */
  readonly startedHashes: readonly (StartedHash | undefined)[];
}

/** The inputs must be fetched as whole files. */
interface DeclinedDownload {
  readonly kind: 'declined';
  /** Human-readable reason. */
  readonly reason: string;
}

/**
 * Fetches DASH files so that every fragment is written directly to its position in the result. Skips fragments that an
 * earlier run has fetched. Declines if this is not possible: usually after only the start of the files has been
 * fetched, or later if a source changes or stops sending ranges. The data is then deleted. If a new link of an input led
 * to other media, the data of the other inputs is kept for their downloads as whole files.
 *
 * @throws MillraceError as `downloadInputs` does.
 */
export async function downloadPlaced(
  job: Job,
  placer: FragmentPlacer,
  context: DownloadContext,
): Promise<PlacedDownload | DeclinedDownload> {
  const reason = declineReason(job, placer);
  if (reason !== undefined) return { kind: 'declined', reason };
  const path = join(context.directory, `placed.${job.output.ext}`);
  const subject = [job.id, job.inputs, job.output, job.operation];
  const journal = await openJournal(`${path}.journal`, subject);
  const outcome = await fetchWithRestart(job, placer, context, path, journal).finally(journal.close);
  if (outcome.kind === 'placed') return outcome;
  const { reason: cause, changedInput } = outcome;
  if (changedInput !== undefined) {
    const { directory, signal } = context;
    await salvageInputs({ job, placer, directory, path, subject, changedInput, signal });
  }
  await removeFile(path);
  return { kind: 'declined', reason: cause };
}

/** The outcome of a placed download that declined. */
interface BrokenDownload extends DeclinedDownload {
  /** Index of the input whose new link led to other media, if that is the reason. */
  readonly changedInput?: number | undefined;
}

/** Resumes the download of an earlier run; restarts it if a source has changed since. */
async function fetchWithRestart(
  job: Job,
  placer: FragmentPlacer,
  context: DownloadContext,
  path: string,
  journal: Journal,
): Promise<PlacedDownload | BrokenDownload> {
  for (let resumable = await readResumablePlacement(journal, path, placer); ; resumable = undefined) {
    if (resumable === undefined) await journal.clear();
    const file = await openResumableFile(path, resumable);
    let failedInput: number | undefined;
    const onInputFailed = (index: number) => {
      failedInput ??= index;
    };
    try {
      const target = { path, file, journal, resumable, onInputFailed };
      return { kind: 'placed', path, ...(await fetchPlaced(job, placer, context, target)) };
    } catch (error) {
      if (
        !(error instanceof PlacementDeclined || error instanceof RangesUnsupported || error instanceof SourceChanged)
      ) {
        throw error;
      }
      const hasNewLink = (context.links?.replacements ?? 0) > 0;
      if (hasNewLink && !(error instanceof PlacementDeclined)) {
        return { kind: 'declined', reason: error.message, changedInput: failedInput };
      }
      if (resumable !== undefined) continue;
      return { kind: 'declined', reason: error.message };
    } finally {
      await file.close();
    }
  }
}

function declineReason({ inputs, output, operation, clip }: Job, { maxInputs }: FragmentPlacer): string | undefined {
  if (clip !== undefined) return 'only a part of the media is kept';
  if ((output.subtitles ?? []).length > 0) return 'the job adds subtitles';
  if (operation.type === 'no_process' || !operation.copyStreams) return 'the operation does not copy streams';
  if (!placeableOutputs.has(output.ext)) return `the output is ${output.ext}, not MP4`;
  if (inputs.length < MIN_INPUTS || inputs.length > maxInputs) return `there are ${inputs.length} inputs`;
  const other = inputs.find(({ ext, chunks }) => !placeableInputs.has(ext) || chunks.type !== 'header');
  return other === undefined ? undefined : `an input is ${other.ext}, or is not requested with the Range header`;
}

/** The result that the fragments are written to. */
interface Target {
  readonly path: string;
  readonly file: FileHandle;
  readonly journal: Journal;
  readonly resumable: ResumablePlacement | undefined;
  /** Called first with the index of the input that ends the download. */
  readonly onInputFailed: (index: number) => void;
}

async function fetchPlaced(
  job: Job,
  placer: FragmentPlacer,
  context: DownloadContext,
  target: Target,
): Promise<Pick<PlacedDownload, 'heads' | 'startedHashes'>> {
  const { path, file, journal, resumable } = target;
  const group = createTaskGroup(context.signal);
  const sizeGuards = createSizeGuards(job);
  const progress: InputProgress[] = job.inputs.map(() => ({ fraction: 0 }));
  const startedHashes: (StartedHash | undefined)[] = job.inputs.map(() => undefined);
  const proofs: { readonly proof: ArrivalProof; readonly ranges: readonly ScatteredRange[] }[] = [];
  const fetchedHeads = job.inputs.map(() => Promise.withResolvers<FetchedHead>());
  const placing = Promise.all(fetchedHeads.map(({ promise }) => promise)).then((all) =>
    placeInputs(placer, all, target),
  );
  // Each input that awaits the placement reports its rejection.
  placing.catch(() => undefined);

  const fetchInput = async (input: JobInput, index: number, sizeGuard: SizeGuard) => {
    const storedInput = resumable?.inputs[index];
    const onBytes = (bytes: number, total: number | undefined) => {
      if (total === undefined) return;
      progress[index] = { fraction: fractionOf(bytes, total), bytes: total };
      context.onProgress(overallProgress(progress));
    };
    try {
      await fetchWithinBudget(input, index, { ...context, signal: group.signal }, async (source) => {
        const resumedBytes = storedInput && {
          version: storedInput.version,
          bytes: totalBytes(storedInput.storedRanges),
        };
        const record = createPlacementRecord(journal, index);
        const arrivedRanges = trackArrivedRanges(
          { source, sizeGuard, onBytes },
          { resumedBytes, onNewLink: record.onNewLink },
        );
        const fetchedHead: FetchedHead =
          storedInput === undefined
            ? await fetchHead(source, arrivedRanges, placer.headBytes)
            : { fileHead: storedInput.fileHead, version: undefined };
        fetchedHeads[index]?.resolve(fetchedHead);
        const { placement, isRecorded } = await placing;
        const { fileHead } = fetchedHead;
        const ranges = placement.ranges.filter((range) => range.input === index);
        const storedRanges = storedInput?.storedRanges ?? [];
        const arrivalHash =
          context.hasher &&
          createArrivalHash(context.hasher, group.signal, placedInput({ path, fileHead, ranges, storedRanges }));
        const recordStored = isRecorded ? record.begin() : undefined;
        const proof = await fetchFragments(source, input, fileHead, arrivedRanges, {
          file,
          ranges,
          storedRanges,
          onWritten: (range) => arrivalHash?.written(range),
          onStored: (range) => recordStored?.(range),
        });
        proofs.push({ proof, ranges });
        startedHashes[index] = arrivalHash?.finish(endOfFragments(ranges));
      });
    } catch (error) {
      target.onInputFailed(index);
      fetchedHeads[index]?.reject(error);
      throw error;
    }
  };
  job.inputs.forEach((input, index) => {
    const sizeGuard = sizeGuards[index];
    if (sizeGuard !== undefined) group.run(() => fetchInput(input, index, sizeGuard));
  });
  await group.wait();
  await file.truncate((await placing).placement.bytes);
  const verify = async (bytes: StoredBytes) => {
    for (const { proof, ranges } of proofs) {
      const fragments = { from: ranges[0]?.from ?? 0, end: endOfFragments(ranges) };
      await proof.verify(fragments, (range) => partsInResult(path, ranges, range), bytes);
    }
  };
  group.run(() => withStoredBytes(group.signal, verify));
  await group.wait();
  const heads = (await Promise.all(fetchedHeads.map(({ promise }) => promise))).map(({ fileHead }) => fileHead);
  return { heads, startedHashes };
}

/** Places the fragments. Records the placement if the versions of all inputs can be recognized later. */
function placeInputs(
  placer: FragmentPlacer,
  inputs: readonly FetchedHead[],
  { journal, resumable }: Target,
): { readonly placement: FragmentPlacement; readonly isRecorded: boolean } {
  const placement = placementOf(
    placer,
    inputs.map(({ fileHead }) => fileHead),
  );
  if (resumable !== undefined) {
    if (digestOfPlacement(placement) !== resumable.digest)
      throw new SourceChanged('the positions of the fragments have changed');
    return { placement, isRecorded: true };
  }
  const versionedInputs = inputs.flatMap(({ fileHead, version }) =>
    version === undefined ? [] : [{ fileHead, version }],
  );
  const isRecorded = versionedInputs.length === inputs.length;
  if (isRecorded) recordPlacement(journal, versionedInputs, placement);
  return { placement, isRecorded };
}

function placementOf(placer: FragmentPlacer, heads: readonly FragmentedFileHead[]): FragmentPlacement {
  const bytes = heads.reduce((sum, { size }) => sum + size, 0);
  if (bytes < placer.minBytes) throw new PlacementDeclined('the inputs are small');
  const outcome = placer.place(heads);
  if ('declined' in outcome) throw new PlacementDeclined(outcome.declined);
  return outcome.placement;
}
