import { MillraceError } from '../../contract/errors.ts';
import { isSameVersion } from '../../egress/validator.ts';
import { createConcurrencyLimit } from '../../waiting/concurrency-limit.ts';
import { type ContentCoding, createDecodingWriter, type DecodingWriter, needsSlot } from './decoding-writer.ts';
import type { ByteWriter } from './file-writer.ts';
import { LinkRefused, type LinkState } from './links/source-link.ts';
import { recover } from './recover.ts';
import { createRetryBudget } from './retry-budget.ts';
import {
  type PartHead,
  type RangeRequest,
  RangesUnsupported,
  readHead,
  requestFor,
  type Source,
} from './source-request.ts';

/** Slots of decoders that need much memory, which they keep while their servers are silent: of all jobs, and of an owner. */
const decoderSlots = createConcurrencyLimit(6, 2);

/** Receives the progress of a part. */
export interface PartObserver {
  /**
   * Called with the head of each valid response, the link that was used, and the position from which its bytes are used;
   * throws to reject it.
   */
  onHead(head: PartHead, link: LinkState, position: number): void;
  /** Called with the position after the bytes that have arrived; throws if there are too many. */
  onPosition(position: number): void;
  /** Called with the number of bytes decoded so far from a compressed response; throws if there are too many. */
  onDecoded(bytes: number): void;
}

/** Thrown when a response continues another version of the part than the one that has arrived so far. */
class PartChanged extends RangesUnsupported {}

/**
 * Fetches part of a source to its destination, and resumes at the byte where a connection or a link failed, or where a
 * server ended a shorter range than the requested one (RFC 9110 §15.3.7). If the rest is of another version, the part
 * starts again. A source without ranges responds to the initial request with the whole file. That response is accepted,
 * and fetched again from the start if the connection fails. Returns the position after the last byte written, when every
 * byte of the part has arrived.
 *
 * @throws MillraceError as in `source-request.ts`; `download_incomplete`, `connection_error` or `operation_timeout` if
 * it makes no progress.
 * @throws RangesUnsupported if the source does not send the requested part, or does not state where the file ends.
 */
export async function fetchPart(
  source: Source,
  part: RangeRequest,
  writer: ByteWriter,
  observer: PartObserver,
): Promise<number> {
  const retryBudget = createRetryBudget(source);
  let position = part.from;
  let furthest = position;
  let whole = part.from === 0 && part.to === undefined;
  let total: number | undefined;
  let extent: Extent = {};
  let decoder: DecodingWriter | undefined;
  let lastError: unknown;
  let isChecking = false;
  /** The last response, and the version of its link. */
  let known: { readonly head: PartHead; readonly link: number } | undefined;

  const accept = (head: PartHead, link: LinkState) => {
    // Of another link, the observer knows whether it leads to the same file.
    if (position > part.from && known?.link === link.version) {
      const isSame = isSameVersion(known.head, head);
      // A response with the whole file but without its size is no evidence that the rest is of the same one.
      if (whole ? isSame !== true : isSame === false) throw new PartChanged(`${source.name} has a new version`);
    }
    observer.onHead(head, link, position);
    known = { head, link: link.version };
    if (part.initial === true && !head.acceptsRanges) whole = true;
    total = position === 0 ? head.total : (total ?? head.total);
    extent = extentOf(source, head, whole ? { from: part.from } : part, total);
    const { coding } = head;
    decoder = coding && createDecodingWriter(writer, coding, source.name, observer.onDecoded, slotFor(source, coding));
    const target = decoder ?? writer;
    let bodyPosition = head.from;
    return {
      write(chunk: Buffer) {
        const missing = chunk.subarray(Math.max(0, position - bodyPosition));
        bodyPosition += chunk.length;
        const { end, bodyEnd } = extent;
        const inPart = end === undefined ? missing : missing.subarray(0, Math.max(0, end - position));
        const isComplete = inPart.length < missing.length;
        if (bodyEnd !== undefined && bodyPosition > bodyEnd && !isComplete) {
          throw new RangesUnsupported(`${source.name} was sent with more bytes than its range has`);
        }
        const at = position;
        position += inPart.length;
        if (link.received.bytes === 0) link.onFirstBytes?.();
        link.received.bytes += inPart.length;
        if (position > furthest) retryBudget.recordProgress();
        furthest = Math.max(furthest, position);
        observer.onPosition(position);
        const writing = target.write(at, inPart);
        if (!isComplete) return writing;
        return writing === undefined ? (false as const) : writing.then(() => false as const);
      },
    };
  };

  for (;;) {
    const initial = part.initial === true && position === 0;
    const range: RangeRequest = whole ? { from: position } : { ...part, from: position, initial };
    const link = await source.link.open(source.signal);
    const start = position;
    try {
      isChecking = false;
      await source.egress.exchange(requestFor(source, link, range), (head) =>
        accept(readHead(source, range, head), link),
      );
      await writer.flush();
      // The response to an expired link is often empty, with status 200.
      if (position === start) throw emptyError(source, position);
      const { end, bodyEnd = end } = extent;
      if (end !== undefined && position < end) {
        if (position < (bodyEnd ?? end)) throw incompleteError(source, position, end);
        // The server sent a shorter range.
        continue;
      }
      isChecking = true;
      await (decoder ?? writer).finish();
      return decoder?.size ?? position;
    } catch (error) {
      decoder?.destroy();
      await writer.flush();
      if (position > part.from && (error instanceof PartChanged || (error instanceof RangesUnsupported && whole))) {
        // The new version or the missing range support only causes the restart. The reported error is the one that
        // interrupted the download.
        await retryBudget.waitBeforeRetry(lastError ?? incompleteError(source, position, extent.end, error));
        position = part.from;
      } else if (error instanceof LinkRefused) {
        await recover(source, link, error, retryBudget);
        // The bytes were not media.
        if (isChecking) position = part.from;
      } else {
        lastError = asIncomplete(source, position, extent.end, error);
        await retryBudget.waitBeforeRetry(lastError);
      }
      // Positions in a coded response are not positions in the file.
      if (decoder !== undefined) position = part.from;
    }
  }
}

/** Returns how a decoder gets its slot. A segment gets it in playing order, because others may wait for the segment. */
function slotFor({ turn, caller, signal }: Source, coding: ContentCoding) {
  if (!needsSlot(coding)) return undefined;
  return async () => {
    await turn;
    return await decoderSlots.acquire(signal, caller.account);
  };
}

/** Where bytes end; both positions are exclusive. Undefined if only the end of the body tells. */
interface Extent {
  /** End of the part. */
  readonly end?: number | undefined;
  /** End of the current response. */
  readonly bodyEnd?: number | undefined;
}

/**
 * Returns where the part ends and where the response does.
 *
 * @param total Size of the file, if this head or an earlier one contains it.
 * @throws MillraceError `download_incomplete` if the file ends within the part.
 * @throws RangesUnsupported if the response is a range, and the end of the file is unknown.
 */
function extentOf({ name }: Source, head: PartHead, { to, initial }: RangeRequest, total: number | undefined): Extent {
  const bodyEnd = head.to === undefined ? undefined : head.to + 1;
  if (head.coding !== undefined) return { end: bodyEnd, bodyEnd };
  if (bodyEnd !== undefined && total !== undefined && bodyEnd > total) {
    throw new RangesUnsupported(`${name} was sent with bytes after its end`);
  }
  if (to !== undefined) {
    // Only the first part of a file may reach beyond its end.
    if (initial !== true && total !== undefined && total <= to) {
      throw rangePastEnd(name, to, total);
    }
    return { end: Math.min(to + 1, total ?? to + 1), bodyEnd };
  }
  if (bodyEnd !== undefined && total === undefined) {
    throw new RangesUnsupported(`${name} was sent as a range of a file of unknown size`);
  }
  return { end: total, bodyEnd };
}

/** Returns the error for a range of a file that ends earlier. */
export function rangePastEnd(name: string, to: number, total: number): MillraceError {
  const message = `${name} is incomplete: it reaches to byte ${to}, but its file has ${total} bytes.`;
  return new MillraceError('download_incomplete', `${message} Start the same job again.`);
}

function emptyError({ name }: Source, position: number): MillraceError {
  const what = position === 0 ? 'is empty' : `is incomplete: the response from byte ${position} onwards is empty`;
  return new MillraceError('download_incomplete', `${name} ${what}. Start the same job again.`);
}

function incompleteError(source: Source, position: number, end: number | undefined, cause?: unknown): MillraceError {
  const of = end === undefined ? '' : ` of ${end}`;
  return new MillraceError(
    'download_incomplete',
    `${source.name} is incomplete: the connection keeps failing at byte ${position}${of}. Start the same job again.`,
    { cause },
  );
}

/** Converts the error of a connection that failed in the middle of a part to an error about the input. */
function asIncomplete(source: Source, position: number, end: number | undefined, error: unknown): unknown {
  const isConnectionError = error instanceof MillraceError && error.code === 'connection_error';
  return isConnectionError && position > 0 ? incompleteError(source, position, end, error) : error;
}
