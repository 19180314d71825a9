import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Job, JobInput } from '../../contract/job.ts';
import { type FragmentedHead, headBounds } from '../engine/engine.ts';
import { type Placement, placeFragments } from '../engine/mp4/place-fragments.ts';
import { type Arrivals, trackArrivals } from './arrivals.ts';
import { chunkSizeFor, splitRest } from './chunks.ts';
import type { DownloadContext } from './download.ts';
import { fetchPart } from './fetch-part.ts';
import type { ByteWriter } from './file-writer.ts';
import { withSource } from './input-source.ts';
import { createScatterWriter } from './scatter-writer.ts';
import { type InputShare, overall } from './shares.ts';
import { openSizeAccounts, type SizeAccount } from './size-account.ts';
import { type ByteRange, type PartHead, RangesUnsupported, type Source, SourceChanged } from './source.ts';
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

/** The inputs have to be fetched whole, for a reason in words. */
class NotPlaced extends Error {
  override readonly name = 'NotPlaced';
}

/**
 * Fetches DASH files so that every fragment goes straight to its place in the result. Returns the reason in words where
 * this is not possible: mostly when only the beginning of the files has been fetched, or later when a source changes or
 * stops sending ranges. What was fetched until then is thrown away.
 *
 * @throws MillraceError as `downloadInputs` does.
 */
export async function downloadPlaced(job: Job, context: DownloadContext): Promise<PlacedDownload | string> {
  const reason = whyNot(job);
  if (reason !== undefined) return reason;
  const path = join(context.directory, `placed.${job.output.ext}`);
  const file = await open(path, 'w');
  try {
    return { path, heads: await fetchPlaced(job, context, file) };
  } catch (error) {
    if (error instanceof NotPlaced || error instanceof RangesUnsupported || error instanceof SourceChanged) {
      await rm(path, { force: true });
      return error.message;
    }
    throw error;
  } finally {
    await file.close();
  }
}

function whyNot({ inputs, output, operation }: Job): string | undefined {
  if (operation.type === 'no_process' || !operation.copyStreams) return 'the operation does not copy streams';
  if (!placeableOutputs.has(output.ext)) return `the result is no MP4 but ${output.ext}`;
  if (inputs.length < LEAST_INPUTS || inputs.length > headBounds.count) return `there are ${inputs.length} inputs`;
  const other = inputs.find(({ ext, chunks }) => !placeableInputs.has(ext) || chunks.type !== 'header');
  return other === undefined ? undefined : `an input is ${other.ext}, or is not asked for by the Range header`;
}

async function fetchPlaced(job: Job, context: DownloadContext, file: FileHandle): Promise<FragmentedHead[]> {
  const group = createTaskGroup(context.signal);
  const accounts = openSizeAccounts(job);
  const shares: InputShare[] = job.inputs.map(() => ({ fraction: 0 }));
  const heads = job.inputs.map(() => Promise.withResolvers<FragmentedHead>());
  const plan = Promise.all(heads.map(({ promise }) => promise)).then((all) => planFor(job, all));
  // Each input that waits for it reports it.
  plan.catch(() => undefined);

  const fetchInput = async (input: JobInput, index: number, account: SizeAccount) => {
    const head = heads[index];
    const onBytes = (arrived: number, total: number | undefined) => {
      if (total === undefined) return;
      shares[index] = { fraction: arrived / total, bytes: total };
      context.onProgress(overall(shares));
    };
    try {
      await withSource(input, index, { ...context, signal: group.signal }, async (source) => {
        const arrivals = trackArrivals({ source, account, onBytes });
        const opening = await fetchHead(source, arrivals);
        head?.resolve(opening);
        const ranges = (await plan).ranges.filter((range) => range.input === index);
        await fetchFragments(source, input, opening, ranges, arrivals, file);
      });
    } catch (error) {
      head?.reject(error);
      throw error;
    }
  };
  job.inputs.forEach((input, index) => {
    const account = accounts[index];
    if (account !== undefined) group.run(() => fetchInput(input, index, account));
  });
  await group.done();
  return Promise.all(heads.map(({ promise }) => promise));
}

function planFor({ operation, output }: Job, heads: readonly FragmentedHead[]): Placement {
  if (operation.type === 'no_process') throw new NotPlaced('the operation does not copy streams');
  const bytes = heads.reduce((sum, { size }) => sum + size, 0);
  if (bytes < LEAST_BYTES) throw new NotPlaced('the inputs are small');
  const planned = placeFragments(heads, { type: operation.type, copyStreams: true }, output.ext);
  if ('declined' in planned) throw new NotPlaced(planned.declined);
  return planned.placement;
}

async function fetchHead(source: Source, arrivals: Arrivals): Promise<FragmentedHead> {
  const pieces: Buffer[] = [];
  let size = 0;
  const opening = { from: 0, to: headBounds.bytes - 1, opening: true };
  const judge = ({ ranges, total, coding }: PartHead) => {
    if (!ranges || total === undefined || coding !== undefined) throw new NotPlaced(`${source.name} has no ranges`);
    size = total;
  };
  const taker: ByteWriter = {
    write(_position, piece) {
      pieces.push(piece);
      return undefined;
    },
    flush: async () => undefined,
    finish: async () => undefined,
  };
  await fetchPart(source, opening, taker, arrivals.watch(opening, judge));
  return { head: Buffer.concat(pieces), size };
}

/** Puts what the head holds of the fragments in its place, and fetches the rest, several chunks at a time. */
async function fetchFragments(
  source: Source,
  { chunks }: JobInput,
  { head }: FragmentedHead,
  ranges: Placement['ranges'],
  arrivals: Arrivals,
  file: FileHandle,
): Promise<void> {
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (first === undefined || last === undefined) return;
  const end = last.to + 1;
  if (first.from < head.length) {
    const writer = createScatterWriter(file, ranges);
    await writer.write(first.from, head.subarray(first.from, Math.min(head.length, end)));
    await writer.finish();
  }
  const size = chunks.size ?? chunkSizeFor(end, chunks.concurrency);
  const waiting: ByteRange[] = splitRest(Math.max(first.from, head.length), end, size);
  const group = createTaskGroup(source.signal);
  const work = async () => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      const own = { ...source, signal: group.signal };
      await fetchPart(own, part, createScatterWriter(file, ranges), arrivals.watch(part));
    }
  };
  for (let worker = 0; worker < chunks.concurrency; worker += 1) group.run(work);
  await group.done();
}
