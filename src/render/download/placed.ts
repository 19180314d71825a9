import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Job, JobInput } from '../../contract/job.ts';
import { removeFile } from '../../files/remove.ts';
import { type Placement, placeFragments } from '../engine/mp4/place-fragments.ts';
import { type FragmentedHead, headBounds } from '../engine/tasks/task.ts';
import { trackArrivals } from './arrivals.ts';
import type { DownloadContext } from './download.ts';
import { fetchFragments, fetchOpening, NotPlaced, type Opening } from './fragments.ts';
import { withSource } from './input-source.ts';
import { type Journal, openJournal } from './journal.ts';
import { openKept } from './kept-file.ts';
import { digestOfPlaces, type KeptPlacement, notePlaced, notePlacement, readKeptPlacement } from './kept-placement.ts';
import { type InputShare, overall } from './shares.ts';
import { openSizeAccounts, type SizeAccount } from './size-account.ts';
import { RangesUnsupported, SourceChanged } from './source.ts';
import { lengthOf } from './spans.ts';
import { createTaskGroup } from './task-group.ts';

/** Of all inputs together; below it, fetching them whole is as quick. */
const LEAST_BYTES = 8 * 1024 * 1024;
/** A picture and its sound, mostly; a single file is seldom a DASH one, and looking costs a request. */
const LEAST_INPUTS = 2;

const placeableInputs = new Set(['mp4', 'm4a', 'm4v', 'm4s']);
const placeableOutputs = new Set(['mp4', 'm4a']);

/** A result whose media is in its place; only its index is still to be written. */
export interface PlacedDownload {
  readonly path: string;
  /** Of each input; the placement follows from them. */
  readonly heads: readonly FragmentedHead[];
}

/**
 * Fetches DASH files so that every fragment goes straight to its place in the result; of what is there from before only
 * what is missing. Returns the reason in words where this is not possible: mostly when only the beginning of the files
 * has been fetched, or later when a source changes or stops sending ranges. What was fetched until then is thrown away.
 *
 * @throws MillraceError as `downloadInputs` does.
 */
export async function downloadPlaced(job: Job, context: DownloadContext): Promise<PlacedDownload | string> {
  const reason = whyNot(job);
  if (reason !== undefined) return reason;
  const path = join(context.directory, `placed.${job.output.ext}`);
  const journal = await openJournal(`${path}.journal`, [job.id, job.inputs, job.output, job.operation]);
  try {
    return await fetchInTries(job, context, path, journal);
  } finally {
    await journal.close();
  }
}

async function fetchInTries(
  job: Job,
  context: DownloadContext,
  path: string,
  journal: Journal,
): Promise<PlacedDownload | string> {
  for (let kept = await readKeptPlacement(journal, path); ; kept = undefined) {
    if (kept === undefined) await journal.clear();
    const file = await openKept(path, kept);
    try {
      return { path, heads: await fetchPlaced(job, context, { file, journal, kept }) };
    } catch (error) {
      if (!(error instanceof NotPlaced || error instanceof RangesUnsupported || error instanceof SourceChanged)) {
        throw error;
      }
      // What has changed since is fetched anew.
      if (kept !== undefined) continue;
      await removeFile(path);
      return error.message;
    } finally {
      await file.close();
    }
  }
}

function whyNot({ inputs, output, operation }: Job): string | undefined {
  if (operation.type === 'no_process' || !operation.copyStreams) return 'the operation does not copy streams';
  if (!placeableOutputs.has(output.ext)) return `the result is no MP4 but ${output.ext}`;
  if (inputs.length < LEAST_INPUTS || inputs.length > headBounds.count) return `there are ${inputs.length} inputs`;
  const other = inputs.find(({ ext, chunks }) => !placeableInputs.has(ext) || chunks.type !== 'header');
  return other === undefined ? undefined : `an input is ${other.ext}, or is not asked for by the Range header`;
}

/** A result in the making. */
interface Target {
  readonly file: FileHandle;
  readonly journal: Journal;
  readonly kept: KeptPlacement | undefined;
}

async function fetchPlaced(job: Job, context: DownloadContext, target: Target): Promise<FragmentedHead[]> {
  const { file, journal, kept } = target;
  const group = createTaskGroup(context.signal);
  const accounts = openSizeAccounts(job);
  const shares: InputShare[] = job.inputs.map(() => ({ fraction: 0 }));
  const openings = job.inputs.map(() => Promise.withResolvers<Opening>());
  const plan = Promise.all(openings.map(({ promise }) => promise)).then((all) => begin(job, all, target));
  // Each input that waits for it reports it.
  plan.catch(() => undefined);

  const fetchInput = async (input: JobInput, index: number, account: SizeAccount) => {
    const before = kept?.inputs[index];
    const onBytes = (arrived: number, total: number | undefined) => {
      if (total === undefined) return;
      shares[index] = { fraction: arrived / total, bytes: total };
      context.onProgress(overall(shares));
    };
    try {
      await withSource(input, index, { ...context, signal: group.signal }, async (source) => {
        const former = before && { head: before.head, bytes: lengthOf(before.spans) };
        const arrivals = trackArrivals({ source, account, onBytes }, former);
        const opened = before ?? (await fetchOpening(source, arrivals));
        openings[index]?.resolve(opened);
        const { placement, noted } = await plan;
        await fetchFragments(source, input, opened.opening, arrivals, {
          file,
          ranges: placement.ranges.filter((range) => range.input === index),
          there: before?.spans ?? [],
          onWritten: noted ? (span) => notePlaced(journal, index, span) : undefined,
        });
      });
    } catch (error) {
      openings[index]?.reject(error);
      throw error;
    }
  };
  job.inputs.forEach((input, index) => {
    const account = accounts[index];
    if (account !== undefined) group.run(() => fetchInput(input, index, account));
  });
  await group.done();
  await file.truncate((await plan).placement.bytes);
  return (await Promise.all(openings.map(({ promise }) => promise))).map(({ opening }) => opening);
}

/** Plans the result, and notes the plan where what arrives can be told from another version later. */
function begin(
  job: Job,
  inputs: readonly Opening[],
  { journal, kept }: Target,
): { placement: Placement; noted: boolean } {
  const placement = planFor(
    job,
    inputs.map(({ opening }) => opening),
  );
  if (kept !== undefined) {
    if (digestOfPlaces(placement) !== kept.digest) throw new SourceChanged('the fragments get other places');
    return { placement, noted: true };
  }
  const lasting = inputs.flatMap(({ opening, head }) => (head === undefined ? [] : [{ opening, head }]));
  const noted = lasting.length === inputs.length;
  if (noted) notePlacement(journal, lasting, placement);
  return { placement, noted };
}

function planFor({ operation, output }: Job, heads: readonly FragmentedHead[]): Placement {
  if (operation.type === 'no_process') throw new NotPlaced('the operation does not copy streams');
  const bytes = heads.reduce((sum, { size }) => sum + size, 0);
  if (bytes < LEAST_BYTES) throw new NotPlaced('the inputs are small');
  const planned = placeFragments(heads, { type: operation.type, copyStreams: true }, output.ext);
  if ('declined' in planned) throw new NotPlaced(planned.declined);
  return planned.placement;
}
