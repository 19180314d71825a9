import type { Caller } from '../../../contract/caller.ts';
import { MillraceError } from '../../../contract/errors.ts';
import { type AdditionSource, additionLimits } from '../../../contract/output-additions.ts';
import { sizeText } from '../../../contract/size-text.ts';
import { bindHeaders } from '../../../egress/credentials.ts';
import type { Egress } from '../../../egress/egress.ts';
import { openForWriting } from '../../../files/open-file.ts';
import { removeFile } from '../../../files/remove-tree.ts';
import { DamagedArrival } from '../arrival-proof.ts';
import { trackArrivedRanges } from '../arrived-ranges.ts';
import { fetchStream } from '../fetch-stream.ts';
import { createJobMemory, type HeldMemory } from '../held-memory.ts';
import { fixedLink } from '../links/source-link.ts';
import { openInputPlaylists } from '../playlist-memory.ts';
import type { Pause } from '../retry-budget.ts';
import { RangesUnsupported, type Source, SourceChanged } from '../source-request.ts';
import { AdditionUnavailable, reasonFor } from './addition-unavailable.ts';

/** How additions are fetched. */
export interface AdditionContext {
  readonly egress: Egress;
  /** Whom the additions are fetched for. */
  readonly caller: Caller;
  readonly signal: AbortSignal;
  /** Waits before a retry. */
  readonly pause: Pause;
  /** What the downloads of the job hold in memory. Default: this is the only one. */
  readonly heldMemory?: HeldMemory | undefined;
}

/** Where an addition is stored, and how large it may be. */
export interface AdditionTarget {
  /** Its name in messages of the download. */
  readonly name: string;
  readonly path: string;
  readonly maxBytes: number;
}

/**
 * Fetches a file that a job adds to its result, through the same exit, with the same rules for addresses and headers and
 * with the same retries as an input. Returns its size in bytes.
 *
 * @throws AdditionUnavailable if its source does not send it within the limits; DamagedArrival; the signal's reason; an
 * error of the file system.
 */
export async function fetchAddition(
  { url, request }: AdditionSource,
  { name, path, maxBytes }: AdditionTarget,
  { egress, caller, signal, pause, heldMemory = createJobMemory() }: AdditionContext,
): Promise<number> {
  const deadline = new AbortController();
  const timer = setTimeout(() => {
    deadline.abort(new AdditionUnavailable(`it was not downloaded within ${additionLimits.timeout / 1000} s`));
  }, additionLimits.timeout);
  const headers = bindHeaders(url, request.headers);
  const source: Source = {
    egress,
    caller,
    link: fixedLink({ url, request: { ...request, headers }, version: 0, received: { bytes: 0 } }),
    rangeType: 'header',
    heldMemory,
    playlists: openInputPlaylists(caller.key),
    name,
    allowsPage: false,
    pause,
    signal: AbortSignal.any([signal, deadline.signal]),
    onFailure: () => undefined,
  };
  try {
    return await download(source, path, maxBytes);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RangesUnsupported || error instanceof SourceChanged) {
      throw new AdditionUnavailable('the source did not send it completely', { cause: error });
    }
    // Its source has sent it.
    if (error instanceof DamagedArrival) throw error;
    if (error instanceof MillraceError) throw new AdditionUnavailable(reasonFor(error, name), { cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function download(source: Source, path: string, maxBytes: number): Promise<number> {
  // A child of an earlier run may still read the file that it has left here.
  await removeFile(path);
  const file = await openForWriting(path, { keep: false });
  try {
    const sizeGuard = { check: (bytes: number) => refuseLarge(bytes, maxBytes) };
    return await fetchStream(source, path, file, trackArrivedRanges({ source, sizeGuard, onBytes: () => undefined }));
  } finally {
    await file.close();
  }
}

function refuseLarge(bytes: number, maxBytes: number): void {
  if (bytes > maxBytes) throw new AdditionUnavailable(`it is larger than ${sizeText(maxBytes)}`);
}
