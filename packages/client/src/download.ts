import { MillraceApiError, MillraceNetworkError } from './errors.ts';
import { backoff, openPatience, type Patience, pause } from './patience.ts';
import { type Ask, exchangeError, factsOf, type Transport } from './transport.ts';

/** How a file is fetched. */
export interface DownloadOptions {
  /** Ends it; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Bytes that are there already: it begins behind them. */
  readonly from?: number | undefined;
  /** The file's ETag as those bytes came with: it goes on only if the file still has it. */
  readonly tag?: string | undefined;
  /** Hears of the file before its first byte. */
  readonly onHead?: ((head: FileHead) => void) | undefined;
  /** Milliseconds without a byte after which the connection is given up; 30 seconds. */
  readonly idleTimeout?: number | undefined;
  /** How often a connection is opened anew without a byte in between; 6 times. */
  readonly reconnects?: number | undefined;
}

/** What an answer tells of its file. */
export interface FileHead {
  /** Bytes of the whole, where they are told. */
  readonly size: number | undefined;
  /** Its ETag (RFC 9110 §8.8.3), where there is one. */
  readonly tag: string | undefined;
}

const DEFAULT_IDLE_MS = 30_000;
const DEFAULT_RECONNECTS = 6;

/** A connection that the file comes through. */
interface Connection {
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly patience: Patience;
}

/**
 * A file as a stream. Where the connection breaks off it goes on from the same byte, if the file is still the same, and
 * it ends well only once it has come whole.
 *
 * @param size Bytes that the file must have, where known.
 * @throws by the stream: MillraceNetworkError, MillraceApiError (`expired` among others), the reason of a signal.
 */
export function download(
  url: URL,
  size: number | undefined,
  transport: Transport,
  options: DownloadOptions = {},
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { from = 0, idleTimeout = DEFAULT_IDLE_MS, reconnects = DEFAULT_RECONNECTS } = options;
  const ask: Ask = { method: 'GET', url, idempotent: true };
  let whole: Patience | undefined;
  let position = from;
  let total = size;
  let tag: string | null | undefined = options.tag;
  let failures = 0;
  let connection: Connection | undefined;

  function fault(kind: 'changed' | 'interrupted', what: string): MillraceNetworkError {
    return new MillraceNetworkError(kind, `${factsOf(ask).url} ${what}.`, factsOf(ask));
  }

  async function connect({ signal }: Patience): Promise<Connection> {
    const patience = openPatience(idleTimeout, [signal]);
    try {
      const headers = position === 0 ? {} : rangeHeaders(position, tag);
      const response = await transport.stream({ ...ask, headers }, patience);
      check(response);
      if (response.body === null) throw fault('interrupted', 'has no content');
      return { reader: response.body.getReader(), patience };
    } catch (error) {
      patience.close();
      throw error;
    }
  }

  /** Holds a new answer against what is there of the file. */
  function check(response: Response): void {
    const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get('content-range') ?? '');
    const etag = response.headers.get('etag');
    if (position > 0 && (response.status !== 206 || Number(range?.[1]) !== position || (tag ?? etag) !== etag)) {
      throw fault('changed', 'does not go on where it broke off: it is another file by now, or comes whole only');
    }
    tag = etag;
    const told = range === null ? lengthOf(response) : Number(range[2]);
    if (total !== undefined && told !== undefined && told !== total) {
      throw fault('changed', `has ${told} bytes, not ${total}`);
    }
    total ??= told;
    options.onHead?.({ size: total, tag: etag ?? undefined });
  }

  /** The next bytes; undefined at the end of the file. */
  async function read(within: Patience): Promise<Uint8Array<ArrayBuffer> | undefined> {
    connection ??= await connect(within);
    const { reader, patience } = connection;
    patience.renew();
    const { value, done } = await reader.read().catch((error: unknown) => {
      throw exchangeError(error, 'interrupted', ask, patience);
    });
    patience.rest();
    if (done) {
      if (total !== undefined && position < total)
        throw fault('interrupted', `ended after ${position} of ${total} bytes`);
      return undefined;
    }
    position += value.length;
    if (total !== undefined && position > total) throw fault('changed', `is longer than its ${total} bytes`);
    failures = 0;
    // What fetch gives is never shared memory.
    return value as Uint8Array<ArrayBuffer>;
  }

  function leave(): void {
    connection?.patience.close();
    // A broken connection cannot be left, and need not be.
    connection?.reader.cancel().catch(() => undefined);
    connection = undefined;
  }

  async function readOn(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    // Once it is all there, how the connection ends is nothing to the file.
    if (position === total) return undefined;
    // Not before somebody reads: a stream that nobody wants holds nothing.
    whole ??= openPatience(Number.POSITIVE_INFINITY, [transport.signal, options.signal]);
    for (;;) {
      try {
        return await read(whole);
      } catch (error) {
        leave();
        const known = error instanceof MillraceNetworkError || error instanceof MillraceApiError;
        if (!known || !error.retryable || failures >= reconnects) throw error;
        await pause(backoff(failures), whole.signal);
        failures += 1;
      }
    }
  }

  function end(): void {
    leave();
    whole?.close();
  }

  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const bytes = await readOn();
          if (bytes !== undefined) {
            controller.enqueue(bytes);
            return;
          }
          end();
          controller.close();
        } catch (error) {
          end();
          throw error;
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}

/** Asks for what is missing; by a strong tag, for the whole where it is another file by now (RFC 9110 §13.1.5). */
function rangeHeaders(position: number, tag: string | null | undefined): Record<string, string> {
  const strong = tag?.startsWith('"') === true ? { 'if-range': tag } : {};
  return { range: `bytes=${position}-`, ...strong };
}

/** Bytes of an answer; what is compressed on the way is longer than it says. */
function lengthOf(response: Response): number | undefined {
  const length = response.headers.get('content-length');
  return length === null || response.headers.has('content-encoding') ? undefined : Number(length);
}
