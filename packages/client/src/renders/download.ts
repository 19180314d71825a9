import { MillraceApiError, MillraceNetworkError } from '../errors.ts';
import { backoff, pause } from '../http/backoff.ts';
import { type Deadline, startDeadline } from '../http/deadline.ts';
import { describeRequest, exchangeError, type ServiceRequest, type Transport } from '../http/transport.ts';
import { type FileVersion, isSameVersion, isStrong, lengthOf, partOf, versionOf } from './file-head.ts';
import { hasUncertainEnd, isWholeFile } from './verify-end.ts';

/** Options of a download. */
export interface DownloadOptions {
  /** Cancels the download, which then throws its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Number of bytes that already exist: the download starts after them. */
  readonly from?: number | undefined;
  /** ETag of the file that those bytes come from: the download resumes only if the ETag is unchanged. */
  readonly tag?: string | undefined;
  /** Last-Modified of that file: the download also resumes only if it is unchanged, unless the ETag is strong. */
  readonly modified?: string | undefined;
  /** Called with the file's headers before the first byte. */
  readonly onHead?: ((head: FileHead) => void) | undefined;
  /** Milliseconds without data before the download reconnects. Default: 30 seconds. */
  readonly idleTimeout?: number | undefined;
  /** Maximum reconnects without data. Default: 6. */
  readonly reconnects?: number | undefined;
}

/** The headers of a file. */
export interface FileHead {
  /** Size of the whole file in bytes, if known. */
  readonly size: number | undefined;
  /** ETag (RFC 9110 §8.8.3), if there is one. */
  readonly tag: string | undefined;
  /** Last-Modified (RFC 9110 §8.8.2), if there is one. */
  readonly modified: string | undefined;
}

const DEFAULT_IDLE_MS = 30_000;
const DEFAULT_RECONNECTS = 6;

/** A connection that the file is read from. */
interface Connection {
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly deadline: Deadline;
  /** Whether the end of the body may not be that of the file. */
  readonly hasUncertainEnd: boolean;
}

/**
 * Downloads a file as a stream. Resumes from the same byte after a lost connection if the file is unchanged, and fails
 * unless the file is complete.
 *
 * @param size Expected size in bytes, if known.
 * @throws by the stream: MillraceNetworkError, MillraceApiError (`expired` among others), the reason of a signal.
 */
export function download(
  url: URL,
  size: number | undefined,
  transport: Transport,
  options: DownloadOptions = {},
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { from = 0, idleTimeout = DEFAULT_IDLE_MS, reconnects = DEFAULT_RECONNECTS } = options;
  const request: ServiceRequest = { method: 'GET', url, idempotent: true };
  let overall: Deadline | undefined;
  let position = from;
  let total = size;
  /** Of the bytes that have arrived; undefined if nothing is known about it. */
  let version: FileVersion | undefined =
    options.tag === undefined && options.modified === undefined
      ? undefined
      : { tag: options.tag ?? null, modified: options.modified };
  let failures = 0;
  let connection: Connection | undefined;

  function networkError(kind: 'changed' | 'interrupted', problem: string): MillraceNetworkError {
    return new MillraceNetworkError(kind, `${describeRequest(request).url} ${problem}.`, describeRequest(request));
  }

  async function connect({ signal }: Deadline): Promise<Connection> {
    const deadline = startDeadline(idleTimeout, [signal]);
    try {
      const headers = position === 0 ? {} : rangeHeaders(position, version);
      const response = await transport.stream({ ...request, headers }, deadline);
      checkResponse(response);
      if (response.body === null) throw networkError('interrupted', 'returned an empty response');
      return { reader: response.body.getReader(), deadline, hasUncertainEnd: hasUncertainEnd(response) };
    } catch (error) {
      deadline.close();
      throw error;
    }
  }

  /** Compares a response with the request, and with the part of the file that has already arrived. */
  function checkResponse(response: Response): void {
    const part = partOf(response);
    const reportedSize = part === undefined ? lengthOf(response) : part.total;
    const next = versionOf(response);
    // Node's fetch leaves another transfer coding in the bytes.
    const coding = response.headers.get('transfer-encoding') ?? 'chunked';
    if (coding.toLowerCase() !== 'chunked') throw networkError('interrupted', `was sent with the coding ${coding}`);
    if (position === 0 && (part !== undefined || response.status !== 200)) {
      throw networkError('interrupted', `returned ${part === undefined ? `status ${response.status}` : 'only a part'}`);
    }
    if (position > 0) {
      // Without a tag, only its size identifies the file. If a caller states neither, nothing can be compared.
      const hasTag = version === undefined ? total === undefined : version.tag !== null;
      const isKnown = hasTag || (total !== undefined && reportedSize === total);
      if (part?.first !== position || !isKnown || !isSameVersion(version ?? next, next)) {
        throw networkError(
          'changed',
          'cannot be resumed: the file has changed, or the server does not support range requests',
        );
      }
    }
    version = next;
    if (total !== undefined && reportedSize !== undefined && reportedSize !== total) {
      throw networkError('changed', `has ${reportedSize} bytes instead of ${total}`);
    }
    total ??= reportedSize;
    options.onHead?.({ size: total, tag: next.tag ?? undefined, modified: next.modified ?? undefined });
  }

  /** Reads the next bytes; undefined at the end of the file. */
  async function readChunk(parent: Deadline): Promise<Uint8Array<ArrayBuffer> | undefined> {
    connection ??= await connect(parent);
    const { reader, deadline, hasUncertainEnd: isUncertain } = connection;
    deadline.reset();
    const { value, done } = await reader.read().catch((error: unknown) => {
      throw exchangeError(error, 'interrupted', request, deadline);
    });
    deadline.suspend();
    if (done) {
      if (total !== undefined && position < total)
        throw networkError('interrupted', `ended after ${position} of ${total} bytes`);
      if (total === undefined && isUncertain) await verifyEnd(parent);
      return undefined;
    }
    position += value.length;
    if (total !== undefined && position > total)
      throw networkError('changed', `is longer than the reported ${total} bytes`);
    failures = 0;
    // The chunks of fetch are never in shared memory.
    return value as Uint8Array<ArrayBuffer>;
  }

  /** Requests the bytes after the last one. @throws MillraceNetworkError unless the response shows that there are none. */
  async function verifyEnd({ signal }: Deadline): Promise<void> {
    const deadline = startDeadline(idleTimeout, [signal]);
    try {
      const response = await transport.respond({ ...request, headers: rangeHeaders(position, version) }, deadline);
      if (await isWholeFile(position, response, deadline)) return;
      throw networkError('interrupted', `ended after ${position} bytes, which may not be all`);
    } catch (error) {
      throw exchangeError(error, 'interrupted', request, deadline);
    } finally {
      deadline.close();
    }
  }

  function disconnect(): void {
    connection?.deadline.close();
    // A broken connection cannot be cancelled, and need not be.
    connection?.reader.cancel().catch(() => undefined);
    connection = undefined;
  }

  async function readWithRetries(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    // Once the file is complete, it does not matter how the connection ends.
    if (position === total) return undefined;
    // Started at the first read, so that an unused stream holds no resources.
    overall ??= startDeadline(Number.POSITIVE_INFINITY, [transport.signal, options.signal]);
    for (;;) {
      try {
        return await readChunk(overall);
      } catch (error) {
        disconnect();
        const isClientError = error instanceof MillraceNetworkError || error instanceof MillraceApiError;
        if (!isClientError || !error.retryable || failures >= reconnects) throw error;
        await pause(backoff(failures), overall.signal);
        failures += 1;
      }
    }
  }

  function close(): void {
    disconnect();
    overall?.close();
  }

  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const chunk = await readWithRetries();
          if (chunk !== undefined) {
            controller.enqueue(chunk);
            return;
          }
          close();
          controller.close();
        } catch (error) {
          close();
          throw error;
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}

/** Requests the rest of the file or, if a strong ETag no longer matches, the whole file (RFC 9110 §13.1.5). */
function rangeHeaders(position: number, version: FileVersion | undefined): Record<string, string> {
  const tag = version?.tag;
  return { range: `bytes=${position}-`, ...(isStrong(tag) ? { 'if-range': tag } : {}) };
}
