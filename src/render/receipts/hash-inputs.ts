import type { Job } from '../../contract/job.ts';
import type { FetchedBytes } from '../../contract/receipt.ts';
import type { FileRange, HashedBytes, HashedPart, Hasher } from '../../files/hashing/hasher.ts';
import { sizeOf } from '../../files/open-file.ts';
import type { StartedHash } from '../download/arrival-hash.ts';
import type { FetchedFile } from '../download/download-inputs.ts';
import type { PlacedDownload } from '../download/placed-download.ts';
import { endOfFragments, placedInput } from '../download/placed-input.ts';
import { fragmentPlacerFor } from '../stages/engine-placer.ts';
import type { FetchedMedia } from '../stages/fetch-media.ts';

/**
 * Returns the hashes of the bytes that were fetched of each input. Completes those that were started during the
 * download, and reads the other inputs. Inputs whose fragments were written into the result are read from there, so the
 * result must not be completed before that.
 *
 * @throws UnsafeFileError; an error of the file system; the signal's reason.
 */
export async function hashInputs(
  job: Job,
  media: FetchedMedia,
  hasher: Pick<Hasher, 'start'>,
  signal: AbortSignal,
): Promise<FetchedBytes[][]> {
  if (media.kind === 'placed') return await hashPlacedInputs(job, media, hasher, signal);
  const hashedInputs: FetchedBytes[][] = [];
  for (const { files } of media.inputs) {
    const hashedFiles: FetchedBytes[] = [];
    for (const file of files) {
      const hashed = await finishStarted(file.startedHash, signal);
      hashedFiles.push({
        ...(hashed ?? (await hashParts(await rangesOf(file), hasher, signal))),
        ...excerptOf(file),
      });
    }
    hashedInputs.push(hashedFiles);
  }
  return hashedInputs;
}

/** Returns how a file differs from its source, if only the part that a clip needs was fetched. */
function excerptOf({ parts, sourceBytes }: FetchedFile): Pick<FetchedBytes, 'sourceBytes' | 'excerptStart'> {
  const excerptStart = parts[0]?.excerptStart;
  return {
    ...(sourceBytes === undefined ? {} : { sourceBytes }),
    ...(excerptStart === undefined ? {} : { excerptStart }),
  };
}

/** Returns the parts of a file in order. */
async function rangesOf({ parts }: FetchedFile): Promise<FileRange[]> {
  const ranges: FileRange[] = [];
  for (const { path } of parts) {
    const length = await sizeOf(path, { links: 'any' });
    if (length === undefined) throw new Error('a fetched file is missing or was replaced');
    ranges.push({ path, position: 0, length });
  }
  return ranges;
}

/**
 * Hashes each input from its head, which is in memory, and its fragments, which are contiguous in the input and
 * scattered in the result. Bytes after the last fragment, such as a list of fragments, are never fetched.
 */
async function hashPlacedInputs(
  job: Job,
  { path, heads, startedHashes }: PlacedDownload,
  hasher: Pick<Hasher, 'start'>,
  signal: AbortSignal,
): Promise<FetchedBytes[][]> {
  const outcome = fragmentPlacerFor(job).place(heads);
  if ('declined' in outcome) throw new Error(`the heads could be placed before, but not now: ${outcome.declined}`);
  const hashedInputs: FetchedBytes[][] = [];
  for (const [input, fileHead] of heads.entries()) {
    const ranges = outcome.placement.ranges.filter((range) => range.input === input);
    const { partsOf } = placedInput({ path, fileHead, ranges, storedRanges: [] });
    const parts = partsOf({ from: 0, end: endOfFragments(ranges) });
    const hashed = (await finishStarted(startedHashes[input], signal)) ?? (await hashParts(parts, hasher, signal));
    hashedInputs.push([{ ...hashed, ...(hashed.bytes === fileHead.size ? {} : { sourceBytes: fileHead.size }) }]);
  }
  return hashedInputs;
}

async function hashParts(
  parts: readonly HashedPart[],
  hasher: Pick<Hasher, 'start'>,
  signal: AbortSignal,
): Promise<HashedBytes> {
  const { hashed } = await hasher.start(parts, signal);
  return await hashed;
}

/** Returns a hash that the download has started. Undefined if no hash was started, or the file must be read again. */
async function finishStarted(started: StartedHash | undefined, signal: AbortSignal): Promise<HashedBytes | undefined> {
  if (started === undefined) return undefined;
  const { hashed, cancel } = started;
  signal.addEventListener('abort', cancel, { once: true });
  try {
    if (signal.aborted) cancel();
    // Any failure, such as a thread that has ended, shows again when the file is read from the beginning.
    return await hashed.catch(() => undefined);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
