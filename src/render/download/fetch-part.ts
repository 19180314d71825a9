import { MillraceError } from '../../contract/errors.ts';
import { createDecodingWriter, type DecodingWriter } from './decoding-writer.ts';
import type { ByteWriter } from './file-writer.ts';
import { createRetryBudget } from './retry-budget.ts';
import { type PartHead, type RangeRequest, RangesUnsupported, readHead, requestFor, type Source } from './source.ts';

/** Hears of a part while it is fetched. */
export interface PartWatch {
  /** Each head that is accepted; throws to refuse what it announces. */
  head(head: PartHead): void;
  /** Position after the bytes that have arrived; throws when they are too many. */
  arrived(position: number): void;
  /** Bytes that came out of a coded answer so far; throws when they are too many. */
  decoded(bytes: number): void;
}

/**
 * Fetches part of a source into its place, resuming at the byte where a connection broke. A source that knows no ranges
 * answers the opening part with the whole, which is taken, and begun again where a connection broke. Returns the position
 * after the last byte written.
 *
 * @throws MillraceError of `source.ts`; `download_incomplete`, `connection_error` or `operation_timeout` when it does
 *   not get on.
 * @throws RangesUnsupported when another part than the one asked for is sent.
 */
export async function fetchPart(
  source: Source,
  part: RangeRequest,
  writer: ByteWriter,
  watch: PartWatch,
): Promise<number> {
  const retryBudget = createRetryBudget(source);
  let position = part.from;
  let furthest = position;
  let { to: last } = part;
  let whole = part.from === 0 && part.to === undefined;
  let decoder: DecodingWriter | undefined;
  let broke: unknown;

  const accept = (head: PartHead) => {
    watch.head(head);
    if (part.opening === true && !head.ranges) whole = true;
    last = whole || part.to === undefined ? head.to : Math.min(part.to, head.to ?? part.to);
    const { coding } = head;
    decoder = coding && createDecodingWriter(writer, coding, source.name, watch.decoded);
    const taker = decoder ?? writer;
    return {
      write(chunk: Buffer) {
        const wanted = last === undefined ? chunk : chunk.subarray(0, last + 1 - position);
        const at = position;
        position += wanted.length;
        if (position > furthest) retryBudget.progress();
        furthest = Math.max(furthest, position);
        watch.arrived(position);
        const taken = taker.write(at, wanted);
        if (wanted.length === chunk.length) return taken;
        return taken === undefined ? (false as const) : taken.then(() => false as const);
      },
    };
  };

  for (;;) {
    const asked: RangeRequest = whole ? { from: position } : { ...part, from: position, opening: position === 0 };
    try {
      await source.egress.exchange(requestFor(source, asked), (head) => accept(readHead(source, asked, head)));
      await writer.flush();
      if (last !== undefined && position <= last) throw cutShort(source, position, last);
      await (decoder ?? writer).finish();
      return decoder?.size ?? position;
    } catch (error) {
      decoder?.abandon();
      await writer.flush();
      if (error instanceof RangesUnsupported && whole && position > 0) {
        // That it has to begin again is no reason of its own.
        await retryBudget.waitAfter(broke ?? cutShort(source, position, last, error));
        position = 0;
      } else {
        broke = asIncomplete(source, position, last, error);
        await retryBudget.waitAfter(broke);
      }
    }
  }
}

function cutShort(source: Source, position: number, last: number | undefined, cause?: unknown): MillraceError {
  const of = last === undefined ? '' : ` of ${last + 1}`;
  return new MillraceError(
    'download_incomplete',
    `${source.name} is incomplete: its connection keeps breaking at byte ${position}${of}. Start the same job again.`,
    { cause },
  );
}

/** A connection that broke in the middle is told as what it means for the input. */
function asIncomplete(source: Source, position: number, last: number | undefined, error: unknown): unknown {
  const broke = error instanceof MillraceError && error.code === 'connection_error';
  return broke && position > 0 ? cutShort(source, position, last, error) : error;
}
