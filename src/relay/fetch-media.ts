import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { withHeaders } from '../egress/credentials.ts';
import type { BodySink, Egress } from '../egress/egress.ts';
import { headersOf, type RelayOrder } from './relay-link.ts';
import { type RelayedHead, relayedHead } from './relayed-head.ts';

/** Bytes that each side of the stream between source and caller buffers. */
const BUFFER_BYTES = 64 * 1024;

/** A caller's request for a file. */
export interface MediaRequest {
  readonly order: RelayOrder;
  /** `Range` and `If-Range`, if they are forwarded. */
  readonly range: Readonly<Record<string, string>>;
  /**
   * False for HEAD. It is sent as GET and cancelled after the response headers, because signed links often permit only
   * GET.
   */
  readonly body: boolean;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
}

/** The response for the caller. It has no body for HEAD and for a range outside the file. */
interface MediaResponse extends RelayedHead {
  readonly body?: Readable;
}

/**
 * Sends the request to the source, and resolves when the response headers have arrived. The body is streamed as fast as
 * it is read; errors after the headers are errors of the stream.
 *
 * @throws MillraceError as `egress.exchange` and {@link relayedHead}.
 */
export function fetchMedia(egress: Egress, { order, range, body, signal }: MediaRequest): Promise<MediaResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<MediaResponse>();
  const stream = new PassThrough({ highWaterMark: BUFFER_BYTES });
  // Readers of the stream handle its errors. Before there are readers, the promise rejects.
  stream.on('error', reject);
  const headers = withHeaders(headersOf(order), { 'accept-encoding': 'identity', ...range });
  egress
    .exchange({ url: order.url, headers, signal }, (response) => {
      const head = relayedHead(response, order, 'range' in range);
      const hasBody = body && head.status !== 416;
      resolve(hasBody ? { ...head, body: stream } : head);
      return hasBody ? createStreamSink(stream) : undefined;
    })
    .then(
      () => stream.end(),
      (error: unknown) => stream.destroy(error instanceof Error ? error : new Error(String(error))),
    );
  return promise;
}

function createStreamSink(stream: PassThrough): BodySink {
  return {
    write: (chunk) => (stream.write(chunk) ? undefined : once(stream, 'drain').then(() => undefined)),
  };
}
