import type { Agent, Dispatcher } from 'undici';
import { isTurnOver, nextSlice } from '../waiting/steps.ts';
import { type BoundHeaders, headersFor } from './credentials.ts';
import type { BodySink, EgressRequest, ResponseHead } from './egress.ts';
import { checkInterimCount } from './interim-responses.ts';
import { joinRepeated } from './join-repeated.ts';
import { isChunked } from './transfer-coding.ts';
import { transportError } from './transport-errors.ts';

/** Timeout in milliseconds for the head of a response, and between two chunks of its body. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/** One request of an exchange: the first one, or one that follows a redirect. */
export type Hop = Omit<EgressRequest, 'url' | 'headers'> & { readonly url: URL; readonly headers: BoundHeaders };

/**
 * Sends one request with undici, without following redirects. Handles the body like {@link Egress.exchange}.
 *
 * @throws MillraceError as {@link Egress.exchange}; errors of `receive` and the sink; the signal's reason.
 */
export function undiciExchange(
  agent: Agent,
  hop: Hop,
  receive: (head: ResponseHead) => BodySink | undefined,
): Promise<ResponseHead> {
  const { promise, resolve, reject } = Promise.withResolvers<ResponseHead>();
  let controller: Dispatcher.DispatchController | undefined;
  let head: ResponseHead | undefined;
  let sink: BodySink | undefined;
  let interim = 0;
  let settled = false;

  const settle = (finish: () => void, closing?: Error) => {
    if (settled) return;
    settled = true;
    hop.signal.removeEventListener('abort', onAbort);
    finish();
    if (closing !== undefined) controller?.abort(closing);
  };
  const fail = (error: unknown) => settle(() => reject(error), new Error('the exchange has failed', { cause: error }));
  const stop = (response: ResponseHead) => settle(() => resolve(response), new Error('the sink ended the body'));
  const onAbort = () => fail(hop.signal.reason);

  if (hop.signal.aborted) return Promise.reject(hop.signal.reason);
  hop.signal.addEventListener('abort', onAbort);
  agent.dispatch(
    {
      origin: hop.url.origin,
      path: hop.url.pathname + hop.url.search,
      method: hop.method ?? 'GET',
      headers: headersFor(hop.url, hop.headers),
      body: hop.bodyStream ?? hop.body ?? null,
      headersTimeout: hop.headTimeout ?? DEFAULT_TIMEOUT_MS,
      bodyTimeout: hop.idleTimeout ?? DEFAULT_TIMEOUT_MS,
    },
    {
      onRequestStart(started) {
        controller = started;
        if (settled) started.abort(new Error('the exchange is over'));
      },
      onResponseStart(_controller, status, headers) {
        if (settled) return;
        try {
          if (status < 200) {
            interim += 1;
            checkInterimCount(interim);
            return;
          }
          head = { status, headers: joinRepeated(headers), url: hop.url.href };
          isChunked(head.headers);
        } catch (error) {
          fail(transportError(error, hop.url.host));
          return;
        }
        try {
          sink = receive(head);
        } catch (error) {
          fail(error);
          return;
        }
        if (sink === undefined) stop(head);
      },
      onResponseData(active, chunk) {
        if (settled || head === undefined || sink === undefined) return;
        const response = head;
        // undici passes each chunk of the transfer coding on by itself, and they may be of one byte.
        const isOver = isTurnOver();
        try {
          const result = sink.write(chunk);
          if (result === false) stop(response);
          if (settled || !(isOver || result instanceof Promise)) return;
          active.pause();
          waitFor(result, isOver).then((more) => {
            if (settled) return;
            if (more === false) stop(response);
            else active.resume();
          }, fail);
        } catch (error) {
          fail(error);
        }
      },
      onResponseEnd() {
        const response = head;
        if (response !== undefined) settle(() => resolve(response));
      },
      onResponseError(_controller, error) {
        settle(() => reject(transportError(error, hop.url.host)));
      },
    },
  );
  return promise;
}

/** Waits for the result of a write, and until a later turn of the event loop if this one is over. */
async function waitFor(result: ReturnType<BodySink['write']>, isTurnOver: boolean): Promise<undefined | false> {
  const more = await result;
  if (isTurnOver && more !== false) await nextSlice();
  return more;
}
