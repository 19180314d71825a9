import { callerOf } from '../accounts/owner.ts';
import { MillraceError } from '../contract/errors.ts';
import { isLinkRefusal } from '../contract/media-fetch.ts';
import { validUrl } from '../contract/parse-url.ts';
import { withHeaders } from '../egress/credentials.ts';
import type { BodySink, Egress, ResponseHead } from '../egress/egress.ts';
import { createDelivery, type Delivery, type MediaResponse } from './delivery.ts';
import { headersOf, type RelayOrder } from './relay-link.ts';
import { statusError } from './relayed-head.ts';
import { type MediaSource, openSourceLink, type SourceLink } from './source-link.ts';

/** Maximum times that a response is continued after its connection broke. */
const MAX_BREAKS = 3;

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

/**
 * Sends the request to the source, and resolves when the response headers have arrived. The body is streamed as fast as
 * it is read; errors after the headers are errors of the stream. If the link no longer works, or the connection breaks
 * during the body, the response is continued at the same byte.
 *
 * @throws MillraceError as `egress.exchange`, `relayedHead` and {@link openSourceLink}.
 */
export function fetchMedia(source: MediaSource, request: MediaRequest): Promise<MediaResponse> {
  const delivery = createDelivery(request.range, request.body);
  deliver(source, request, delivery).then(delivery.end, delivery.fail);
  return delivery.response;
}

async function deliver(source: MediaSource, { order, signal }: MediaRequest, delivery: Delivery): Promise<void> {
  const link = await openSourceLink(source, order, signal);
  for (let breaksLeft = MAX_BREAKS; ; ) {
    let head: ResponseHead;
    try {
      head = await exchange(source.exit, link, delivery, signal);
    } catch (error) {
      // A disconnect of the caller says nothing about the source.
      if (signal.aborted) throw error;
      if (breaksLeft > 0 && isBreak(error) && delivery.canContinue()) {
        breaksLeft -= 1;
        continue;
      }
      link.failed();
      throw error;
    }
    if (!isLinkRefusal(head.status)) {
      // The source sent fewer bytes than requested.
      if (!delivery.isComplete()) continue;
      return link.arrived();
    }
    if (!(await link.replace(head.status))) throw statusError(head);
  }
}

/** Requests the missing bytes once, and returns the head of the response, which may be a refusal of the link. */
async function exchange(egress: Egress, link: SourceLink, delivery: Delivery, signal: AbortSignal) {
  const { order } = link;
  const caller = callerOf(order.owner);
  const headers = withHeaders(headersOf(order), { 'accept-encoding': 'identity', ...delivery.range() });
  const head = await egress.exchange({ url: order.url, caller, isRelay: true, headers, signal }, (response) => {
    if (isLinkRefusal(response.status)) return undefined;
    const sink = delivery.accept(response, order);
    return sink === undefined ? undefined : countingSink(sink, link);
  });
  if (isLinkRefusal(head.status) || delivery.isComplete() || delivery.isPartComplete()) return head;
  throw new MillraceError('connection_error', `${validUrl(head.url).host} sent fewer bytes than it stated. Try again.`);
}

function countingSink(sink: BodySink, link: SourceLink): BodySink {
  return {
    write(chunk) {
      link.received(chunk.length);
      return sink.write(chunk);
    },
  };
}

/** Whether an error means that a connection broke or stalled, so that another one can succeed. */
function isBreak(error: unknown): boolean {
  return error instanceof MillraceError && (error.code === 'connection_error' || error.code === 'operation_timeout');
}
