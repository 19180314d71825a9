import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { withHeaders } from '../egress/credentials.ts';
import type { BodySink, Egress } from '../egress/egress.ts';
import { headersOf, type RelayOrder } from './relay-link.ts';
import { type RelayedHead, relayedHead } from './relayed-head.ts';

/** Bytes that wait on each side of the stream between source and caller. */
const BUFFER_BYTES = 64 * 1024;

/** How the caller asks for a file. */
export interface MediaRequest {
  readonly order: RelayOrder;
  /** `Range` and `If-Range`, where they are passed on. */
  readonly range: Readonly<Record<string, string>>;
  /** False for HEAD. It is asked as GET and broken off, since signed links are often good for GET alone. */
  readonly body: boolean;
  /** Aborted when the caller is gone. */
  readonly signal: AbortSignal;
}

/** What the caller gets; without a body for HEAD, and for a range outside the file. */
export interface OpenedSource extends RelayedHead {
  readonly body?: Readable;
}

/**
 * Asks the source, and settles when the head of its answer is there. The body comes as fast as it is read; what goes
 * wrong after the head is the stream's error.
 *
 * @throws MillraceError as `egress.exchange` and {@link relayedHead}.
 */
export function openSource(egress: Egress, { order, range, body, signal }: MediaRequest): Promise<OpenedSource> {
  const { promise, resolve, reject } = Promise.withResolvers<OpenedSource>();
  const stream = new PassThrough({ highWaterMark: BUFFER_BYTES });
  // Who reads the stream hears of its error; as long as nobody does, the promise tells it.
  stream.on('error', reject);
  const headers = withHeaders(headersOf(order), { 'accept-encoding': 'identity', ...range });
  egress
    .exchange({ url: order.url, headers, signal }, (answer) => {
      const head = relayedHead(answer, order, 'range' in range);
      const hasBody = body && head.status !== 416;
      resolve(hasBody ? { ...head, body: stream } : head);
      return hasBody ? sinkInto(stream) : undefined;
    })
    .then(
      () => stream.end(),
      (error: unknown) => stream.destroy(error instanceof Error ? error : new Error(String(error))),
    );
  return promise;
}

function sinkInto(stream: PassThrough): BodySink {
  return {
    write: (chunk) => (stream.write(chunk) ? undefined : once(stream, 'drain').then(() => undefined)),
  };
}
