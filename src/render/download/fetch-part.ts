import { MillraceError } from '../../contract/errors.ts';
import { createDecodingWriter, type DecodingWriter } from './decoding-writer.ts';
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

/** Receives the progress of a part. */
export interface PartObserver {
  /** Called with the head of each valid response, and the link that was used; throws to reject it. */
  onHead(head: PartHead, link: LinkState): void;
  /** Called with the position after the bytes that have arrived; throws if there are too many. */
  onPosition(position: number): void;
  /** Called with the number of bytes decoded so far from a compressed response; throws if there are too many. */
  onDecoded(bytes: number): void;
}

/**
 * Fetches part of a source to its destination, and resumes at the byte where a connection or a link failed. A source
 * without ranges responds to the initial request with the whole file. That response is accepted, and fetched again from
 * the start if the connection fails. Returns the position after the last byte written.
 *
 * @throws MillraceError as in `source-request.ts`; `download_incomplete`, `connection_error` or `operation_timeout` if
 * it makes no progress.
 * @throws RangesUnsupported if the source sends a different part than requested.
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
  let { to: last } = part;
  let whole = part.from === 0 && part.to === undefined;
  let decoder: DecodingWriter | undefined;
  let lastError: unknown;
  let isChecking = false;

  const accept = (head: PartHead, link: LinkState) => {
    observer.onHead(head, link);
    if (part.initial === true && !head.acceptsRanges) whole = true;
    last = whole || part.to === undefined ? head.to : Math.min(part.to, head.to ?? part.to);
    const { coding } = head;
    decoder = coding && createDecodingWriter(writer, coding, source.name, observer.onDecoded);
    const target = decoder ?? writer;
    return {
      write(chunk: Buffer) {
        const inPart = last === undefined ? chunk : chunk.subarray(0, last + 1 - position);
        const at = position;
        position += inPart.length;
        if (link.received.bytes === 0) link.onFirstBytes?.();
        link.received.bytes += inPart.length;
        if (position > furthest) retryBudget.recordProgress();
        furthest = Math.max(furthest, position);
        observer.onPosition(position);
        const writing = target.write(at, inPart);
        if (inPart.length === chunk.length) return writing;
        return writing === undefined ? (false as const) : writing.then(() => false as const);
      },
    };
  };

  for (;;) {
    const range: RangeRequest = whole ? { from: position } : { ...part, from: position, initial: position === 0 };
    const link = await source.link.open(source.signal);
    try {
      isChecking = false;
      await source.egress.exchange(requestFor(source, link, range), (head) =>
        accept(readHead(source, range, head), link),
      );
      await writer.flush();
      if (last !== undefined && position <= last) throw incompleteError(source, position, last);
      isChecking = true;
      await (decoder ?? writer).finish();
      return decoder?.size ?? position;
    } catch (error) {
      decoder?.destroy();
      await writer.flush();
      if (error instanceof RangesUnsupported && whole && position > 0) {
        // The missing range support only causes the restart. The reported error is the one that interrupted the
        // download.
        await retryBudget.waitBeforeRetry(lastError ?? incompleteError(source, position, last, error));
        position = 0;
      } else if (error instanceof LinkRefused) {
        await recover(source, link, error, retryBudget);
        // The bytes were not media.
        if (isChecking) position = part.from;
      } else {
        lastError = asIncomplete(source, position, last, error);
        await retryBudget.waitBeforeRetry(lastError);
      }
    }
  }
}

function incompleteError(source: Source, position: number, last: number | undefined, cause?: unknown): MillraceError {
  const of = last === undefined ? '' : ` of ${last + 1}`;
  return new MillraceError(
    'download_incomplete',
    `${source.name} is incomplete: the connection keeps failing at byte ${position}${of}. Start the same job again.`,
    { cause },
  );
}

/** Converts the error of a connection that failed in the middle of a part to an error about the input. */
function asIncomplete(source: Source, position: number, last: number | undefined, error: unknown): unknown {
  const isConnectionError = error instanceof MillraceError && error.code === 'connection_error';
  return isConnectionError && position > 0 ? incompleteError(source, position, last, error) : error;
}
