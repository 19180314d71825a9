import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { serviceCaller } from '../../../contract/caller.ts';
import type { Job } from '../../../contract/job.ts';
import { parseJob } from '../../../contract/parse-job.ts';
import type { Egress } from '../../../egress/egress.ts';
import { createTimeBudgets } from '../../download/fetch-within-budget.ts';
import { downloadPlaced } from '../../download/placed-download.ts';
import { createInterleavingPlacer } from '../../download/testing/interleaving-placer.ts';
import type { Engine } from '../../engine/engine.ts';
import { type FetchedMedia, fetchMedia } from '../fetch-media.ts';
import { processMedia } from '../process-media.ts';
import type { ArrivalOperation } from './arrival-operations.ts';

/** Smaller than callers may request, like the files. */
const CHUNK_BYTES = 30_000;
/** Fraction of the inputs after whose arrival a download is interrupted. */
const INTERRUPTED_AT = 0.4;

const placer = createInterleavingPlacer(20_000, { minBytes: 0, headBytes: 5_000 });
const interruption = new Error('the worker stops');

/** What the operations of a test share. */
export interface ArrivalStand {
  readonly egress: Egress;
  readonly engine: Engine;
  /** URL of the origin that serves the inputs. */
  readonly origin: string;
  /** Folder for temporary folders. */
  readonly folder: string;
}

/**
 * Runs an operation in a new folder. Returns the hash of all bytes that the engine can read, and of the result.
 *
 * @param onFetched Called before the result is made.
 */
export async function runArrival(
  operation: ArrivalOperation,
  { egress, engine, origin, folder }: ArrivalStand,
  onFetched: () => void,
): Promise<string> {
  const directory = await mkdtemp(join(folder, 'run-'));
  const job = jobOf(operation, origin);
  const fetch = (signal: AbortSignal, onProgress: (fraction: number) => void): Promise<FetchedMedia> => {
    const context = { egress, caller: serviceCaller, directory, signal, onProgress, pause: async () => undefined };
    if (operation.isPlaced === undefined) return fetchMedia(job, context, engine, pino({ level: 'silent' }));
    return fetchPlaced(job, { ...context, budgets: createTimeBudgets(job) });
  };
  try {
    if (operation.isResumed) await interrupt(fetch);
    const media = await fetch(new AbortController().signal, () => undefined);
    onFetched();
    const paths = await pathsOf(media, job, directory, operation, engine);
    const hash = createHash('sha256');
    for (const path of paths) hash.update(await readFile(path));
    return hash.digest('hex');
  } finally {
    await rm(directory, { recursive: true });
  }
}

function jobOf({ inputs, type, ext, job: members = {}, additions }: ArrivalOperation, origin: string): Job {
  const added = additions && {
    cover: { url: `${origin}${additions.cover}` },
    subtitles: [{ url: `${origin}${additions.subtitles}`, format: 'srt' }],
  };
  const job = parseJob({
    id: 'job',
    inputs: inputs.map((input) => ({ ...input, url: `${origin}${input.url}` })),
    output: { ext, ...added },
    operation: { type },
    ...members,
  });
  const chunks = { size: CHUNK_BYTES, concurrency: 2 };
  return { ...job, inputs: job.inputs.map((input) => ({ ...input, chunks: { ...input.chunks, ...chunks } })) };
}

/** Fetches until some of the inputs have arrived, or all of them. */
async function interrupt(
  fetch: (signal: AbortSignal, onProgress: (fraction: number) => void) => Promise<FetchedMedia>,
): Promise<void> {
  const abort = new AbortController();
  const onProgress = (fraction: number) => {
    if (fraction >= INTERRUPTED_AT) abort.abort(interruption);
  };
  const media = await fetch(abort.signal, onProgress).catch((error: unknown) => {
    if (error !== interruption) throw error;
    return undefined;
  });
  if (media?.kind === 'streamed') await media.operation.stop();
}

async function fetchPlaced(job: Job, context: Parameters<typeof downloadPlaced>[2]): Promise<FetchedMedia> {
  await mkdir(context.directory, { recursive: true });
  const outcome = await downloadPlaced(job, placer, context);
  if (outcome.kind === 'declined') throw new Error(`the fragments were not placed: ${outcome.reason}`);
  return outcome;
}

/** Returns the paths of the files that were fetched, and of the result. */
async function pathsOf(
  media: FetchedMedia,
  job: Job,
  directory: string,
  { isProcessed }: ArrivalOperation,
  engine: Engine,
): Promise<string[]> {
  const added = media.additions;
  const addedPaths = [added?.cover?.path ?? [], added?.subtitles.map(({ path }) => path) ?? []].flat();
  const fetchedPaths =
    media.kind === 'placed'
      ? [media.path]
      : media.inputs.flatMap(({ files }) => files.flatMap(({ parts }) => parts.map(({ path }) => path)));
  if (isProcessed === undefined) return [...fetchedPaths, ...addedPaths];
  const call = { signal: new AbortController().signal, onProgress: () => undefined };
  const { path } = await processMedia(job, media, directory, engine, call);
  return [...fetchedPaths, ...addedPaths, path];
}
