import { Readable } from 'node:stream';
import { callerOf } from '../../accounts/owner.ts';
import { MillraceError, toMillraceError } from '../../contract/errors.ts';
import type { DeliveryTarget } from '../../contract/output-delivery.ts';
import { validUrl } from '../../contract/parse-url.ts';
import { bindHeaders } from '../../egress/credentials.ts';
import type { Egress } from '../../egress/egress.ts';
import { openForReading } from '../../files/open-file.ts';
import { sleep } from '../../waiting/sleep.ts';
import { retryAfterMs } from '../webhooks/retry-after.ts';
import type { Pause } from './retry-database-call.ts';

/** Time limit of an attempt: a fixed part, and the time of the file's bytes at the lowest accepted rate. */
const ATTEMPT_TIMEOUT_MS = 120_000;
const MIN_BYTES_PER_MS = 1_000;
/** Timeout for the response after the last byte, and between two chunks of the file. */
const IDLE_TIMEOUT_MS = 60_000;
const CHUNK_BYTES = 256 * 1024;
/**
 * Time for which the last byte is held back. A store may send its response before it has the whole file (RFC 9110,
 * section 15), such as one that stores it later or not at all. Such a response to a file that fits in the buffers of the
 * connection would otherwise come after its last byte.
 */
const LAST_BYTE_DELAY_MS = 250;
const MAX_ETAG_LENGTH = 256;

/** The file of an upload. */
interface PutSource {
  readonly path: string;
  readonly bytes: number;
  /** The media type that is sent unless the caller's headers have one. */
  readonly mediaType: string;
}

/** How an attempt is made. */
interface PutOptions {
  readonly egress: Pick<Egress, 'exchange'>;
  /** The owner of the job. */
  readonly owner: string;
  readonly onProgress: (fraction: number) => void;
  /** Aborts the attempt; its reason is thrown. */
  readonly signal: AbortSignal;
  /** Waits before the last byte. */
  readonly pause?: Pause;
}

/**
 * The outcome of an attempt. `refused`: a further attempt would have the same outcome. A success that the store returned
 * before the whole file was sent has failed.
 */
export interface PutAttempt {
  readonly verdict: 'delivered' | 'refused' | 'failed';
  /** HTTP status of the response; null if there was none. */
  readonly status: number | null;
  readonly etag: string | null;
  /** Milliseconds of the response's `Retry-After`. */
  readonly retryAfter?: number | undefined;
  /** Why there was no response. */
  readonly error?: MillraceError;
}

/**
 * Uploads a file to the caller's store once. Sends the file as it is read, reads only the head of the response, and
 * follows no redirect.
 *
 * @throws UnsafeFileError, or an error of the file system, if the file cannot be read; the signal's reason.
 */
export async function putFile(
  { path, bytes, mediaType }: PutSource,
  { url, headers }: DeliveryTarget,
  { egress, owner, onProgress, signal, pause = sleep }: PutOptions,
): Promise<PutAttempt> {
  const file = await openForReading(path, { size: bytes });
  const ended = new AbortController();
  let sent = 0;
  let readError: unknown;
  async function* chunks(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of file.createReadStream({ start: 0, autoClose: false, highWaterMark: CHUNK_BYTES })) {
        const isLast = sent + chunk.length === bytes;
        yield isLast ? chunk.subarray(0, -1) : chunk;
        if (isLast) {
          await pause(LAST_BYTE_DELAY_MS, ended.signal);
          yield chunk.subarray(-1);
        }
        // The connection has taken the chunk.
        sent += chunk.length;
        onProgress(sent / bytes);
      }
    } catch (error) {
      readError = error;
      throw error;
    }
  }
  // Reads no further chunk before the connection has taken the last one.
  const body = Readable.from(chunks(), { objectMode: false, highWaterMark: 1 });
  // The exchange reports why it ended. Without a listener, an error of the stream would end the process.
  body.on('error', () => undefined);
  const timeout = AbortSignal.timeout(ATTEMPT_TIMEOUT_MS + Math.ceil(bytes / MIN_BYTES_PER_MS));
  try {
    const head = await egress.exchange(
      {
        url,
        caller: callerOf(owner),
        method: 'PUT',
        headers: bindHeaders(url, {
          'content-type': mediaType,
          'user-agent': 'Millrace-Delivery/1',
          ...lowerCaseNames(headers),
          'content-length': String(bytes),
        }),
        bodyStream: body,
        followRedirects: false,
        signal: AbortSignal.any([signal, timeout]),
        headTimeout: IDLE_TIMEOUT_MS,
      },
      () => undefined,
    );
    const { status } = head;
    const etag = head.headers.etag?.slice(0, MAX_ETAG_LENGTH) ?? null;
    const isSuccess = status >= 200 && status < 300;
    // The store cannot have a file that was not sent to it, and with `keep: false` it would have the only copy.
    if (isSuccess && sent === bytes) return { verdict: 'delivered', status, etag };
    const isTemporary = isSuccess || status === 408 || status === 425 || status === 429 || status >= 500;
    if (!isTemporary) return { verdict: 'refused', status, etag: null };
    return { verdict: 'failed', status, etag: null, retryAfter: retryAfterMs(head.headers['retry-after'], new Date()) };
  } catch (cause) {
    signal.throwIfAborted();
    if (readError !== undefined) throw readError;
    const error = timeout.aborted ? attemptTimeoutError(url, cause) : toMillraceError(cause);
    return { verdict: error.retryable ? 'failed' : 'refused', status: null, etag: null, error };
  } finally {
    ended.abort();
    body.destroy();
    await file.close();
  }
}

function lowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function attemptTimeoutError(url: string, cause: unknown): MillraceError {
  const message = `${validUrl(url).host} accepted the file too slowly.`;
  return new MillraceError('operation_timeout', message, { cause });
}
