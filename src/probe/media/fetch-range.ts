import { serviceCaller } from '../../contract/caller.ts';
import { MillraceError } from '../../contract/errors.ts';
import { bareType } from '../../contract/media-types.ts';
import { validUrl } from '../../contract/parse-url.ts';
import { readContentRange } from '../../egress/content-range.ts';
import { type BoundHeaders, withHeaders } from '../../egress/credentials.ts';
import type { Egress, ResponseHead } from '../../egress/egress.ts';

/** The time limit of a range in milliseconds. */
const TIMEOUT_MS = 30_000;

/** A file, and how it is fetched. */
export interface FileAccess {
  readonly url: string;
  readonly headers: BoundHeaders;
  /** The exit that the extraction used. */
  readonly exit: Egress;
  readonly signal: AbortSignal;
}

/** A byte range. */
export interface Range {
  readonly from: number;
  readonly length: number;
}

/** The response to a range request. */
export interface RangeResponse {
  /** Undefined if there was no response. */
  readonly head?: {
    readonly status: number;
    readonly type: string;
    /** Size of the whole file, if the response states it. */
    readonly total: number | undefined;
    /** Number of requested bytes that a partial response contains: a server may send fewer than requested. */
    readonly partLength?: number;
  };
  /** The requested bytes that arrived. */
  readonly bytes: Buffer;
  /** What ended the response early; undefined if it is complete. */
  readonly error?: unknown;
}

/**
 * Fetches a byte range. A server that ignores the range sends the whole file, and may send more than was requested;
 * bytes before the range are dropped.
 *
 * @throws The signal's reason.
 */
export async function fetchRange({ url, headers, exit, signal }: FileAccess, range: Range): Promise<RangeResponse> {
  const { from, length } = range;
  const chunks: Buffer[] = [];
  let head: RangeResponse['head'];
  let bytesLeft = length;
  let bytesToSkip = 0;
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  const request = {
    url,
    caller: serviceCaller,
    headers: withHeaders(headers, { 'accept-encoding': 'identity', range: `bytes=${from}-${from + length - 1}` }),
    signal: AbortSignal.any([signal, deadline]),
  };
  const receive = (response: ResponseHead) => {
    const { status, headers: values } = response;
    const common = { status, type: bareType(values['content-type']) };
    if (status === 206) {
      const part = readContentRange(values['content-range']);
      const isRequested = part !== undefined && part.first <= from && part.last >= from;
      head = { ...common, total: part?.total, partLength: isRequested ? part.last - from + 1 : 0 };
      if (!isRequested) return undefined;
      bytesToSkip = from - part.first;
    } else {
      const { 'content-length': size } = values;
      head = { ...common, total: size === undefined ? undefined : Number(size) };
      if (status !== 200) return undefined;
      bytesToSkip = from;
    }
    return {
      write(chunk: Buffer) {
        const start = Math.min(bytesToSkip, chunk.length);
        const bytes = Buffer.from(chunk.subarray(start, start + bytesLeft));
        bytesToSkip -= start;
        bytesLeft -= bytes.length;
        chunks.push(bytes);
        return bytesLeft === 0 ? (false as const) : undefined;
      },
    };
  };
  const error = await exit.exchange(request, receive).then(
    () => undefined,
    (failure: unknown) => (deadline.aborted ? tooSlow(url) : failure),
  );
  signal.throwIfAborted();
  return {
    ...(head === undefined ? {} : { head }),
    bytes: Buffer.concat(chunks),
    ...(error === undefined ? {} : { error }),
  };
}

function tooSlow(url: string): MillraceError {
  const message = `${validUrl(url).host} took longer than ${TIMEOUT_MS / 1000} s.`;
  return new MillraceError('operation_timeout', message);
}
