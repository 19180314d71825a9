import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Caller } from '../contract/caller.ts';
import type { BoundHeaders } from './credentials.ts';

/** A request to a host outside the service. */
export interface EgressRequest {
  readonly url: string;
  /** Whom it is sent for. Each caller has a share of the connections to an origin; see `connection-slots.ts`. */
  readonly caller: Caller;
  readonly method?: 'GET' | 'POST' | 'PUT';
  /**
   * Headers, sent to the origin that they are bound to. {@link headersFor} decides which ones other origins receive.
   */
  readonly headers?: BoundHeaders;
  readonly body?: string;
  /**
   * Sent in place of `body`, and destroyed. The headers must contain its exact `content-length`. It can be sent only
   * once, so a redirect is returned like any other response.
   */
  readonly bodyStream?: Readable;
  /** False: a redirect is returned like any other response. */
  readonly followRedirects?: boolean;
  readonly signal: AbortSignal;
  /** Timeout for the head of the response, in milliseconds; default 30,000. */
  readonly headTimeout?: number;
  /** Timeout between two chunks of the body, in milliseconds; default 30,000. */
  readonly idleTimeout?: number;
  /**
   * Whether chunks may be in a buffer that is reused after `write` returns, which halves the processor time of large
   * bodies. The sink must copy the bytes that it keeps.
   */
  readonly allowBufferReuse?: true;
  /** Whether the body is relayed, as slowly as the caller reads. Relays take no connections from other requests. */
  readonly isRelay?: true;
}

/** The head of a response. */
export interface ResponseHead {
  /** 206 also for a 200 that states to contain only a part; see `withPartStatus`. */
  readonly status: number;
  /** Headers by lower-case name. Repeated ones are joined by a comma; only `set-cookie` may be a list. */
  readonly headers: IncomingHttpHeaders;
  /** The URL that responded, after redirects. */
  readonly url: string;
}

/** Receives a body as it arrives. */
export interface BodySink {
  /** Writes a chunk. A promise applies backpressure until it settles; `false` ends the exchange. */
  write(chunk: Buffer): undefined | false | Promise<undefined | false>;
}

/** An exit to the network. All outgoing requests use one. */
export interface Egress {
  /**
   * Sends a request, follows redirects up to a limit, and writes the body of the final response to the sink that
   * `receive` returns. Without a sink the body is not read. Settles when the body is complete or the sink ends it.
   *
   * Each request carries the headers that its origin may see. A 307 or 308 repeats a POST only within the redirecting
   * origin.
   *
   * @throws MillraceError `connection_error`, `operation_timeout`, `unexpected_redirect`, `address_refused`, `blocked`;
   * `service_unavailable` if all connections to a host remain in use; errors of `receive` and the sink; the signal's reason.
   */
  exchange(request: EgressRequest, receive: (head: ResponseHead) => BodySink | undefined): Promise<ResponseHead>;
  close(): Promise<void>;
}
