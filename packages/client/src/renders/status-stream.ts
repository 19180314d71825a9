import type { NotFoundEvent, RenderStatusEvent } from '../../../../src/contract/job-status.ts';
import { MillraceApiError, type MillraceClientError, MillraceNetworkError, MillraceRenderError } from '../errors.ts';
import { backoff, pause } from '../http/backoff.ts';
import { faultOfResponse } from '../http/check-response.ts';
import { type Deadline, startDeadline } from '../http/deadline.ts';
import { isObject } from '../http/error-response.ts';
import { describeRequest, exchangeError, type ServiceRequest, type Transport } from '../http/transport.ts';
import { createEventReader } from './sse.ts';

/** Options of a status stream. */
export interface WatchOptions {
  /** Ends the stream, which then throws its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of the whole render, in milliseconds. Default: 10 minutes. */
  readonly timeout?: number | undefined;
  /** Milliseconds without an event before the stream reconnects. Default: 15 seconds; events arrive every second. */
  readonly idleTimeout?: number | undefined;
  /** Maximum reconnects without an event. Default: 8. */
  readonly reconnects?: number | undefined;
  /** Called with the reason before each reconnect. */
  readonly onReconnect?: ((error: MillraceClientError) => void) | undefined;
}

const DEFAULT_TIMEOUT_MS = 600_000;
const DEFAULT_IDLE_MS = 15_000;
const DEFAULT_RECONNECTS = 8;

type StatusEvent = RenderStatusEvent | NotFoundEvent;

/**
 * Follows the status events of a job until it is done or has failed. Reconnects with growing pauses if the stream
 * breaks off or falls silent.
 *
 * @throws MillraceRenderError if there is no such job; MillraceNetworkError if reconnecting fails or the timeout
 * expires; MillraceApiError if the stream is refused.
 */
export async function* watchStatus(
  url: URL,
  transport: Transport,
  options: WatchOptions = {},
): AsyncGenerator<RenderStatusEvent, void, void> {
  const { timeout = DEFAULT_TIMEOUT_MS, idleTimeout = DEFAULT_IDLE_MS, reconnects = DEFAULT_RECONNECTS } = options;
  const request: ServiceRequest = { method: 'GET', url, headers: { accept: 'text/event-stream' }, idempotent: true };
  const overall = startDeadline(timeout, [transport.signal, options.signal]);
  let failures = 0;
  try {
    for (;;) {
      const deadline = startDeadline(idleTimeout, [overall.signal]);
      try {
        for await (const event of readEvents(request, transport, deadline)) {
          failures = 0;
          if (event.status === 'not_found') throw new MillraceRenderError(event);
          yield event;
          if (event.status === 'done' || event.status === 'failed') return;
        }
      } catch (error) {
        if (overall.expired)
          throw new MillraceNetworkError('timeout', timeoutMessage(timeout), describeRequest(request), error);
        if (!isResumable(error) || failures >= reconnects) throw error;
        options.onReconnect?.(error);
      } finally {
        deadline.close();
      }
      await pause(backoff(failures), overall.signal).catch((reason: unknown) => {
        throw overall.expired
          ? new MillraceNetworkError('timeout', timeoutMessage(timeout), describeRequest(request), reason)
          : reason;
      });
      failures += 1;
    }
  } finally {
    overall.close();
  }
}

function timeoutMessage(timeout: number): string {
  return `The render did not finish within ${timeout / 1_000} s. It is still running; watch it again, or use a longer timeout.`;
}

/** Whether the stream can be resumed after an error. */
function isResumable(error: unknown): error is MillraceClientError {
  return (error instanceof MillraceNetworkError || error instanceof MillraceApiError) && error.retryable;
}

/** Reads the events of one connection. An end before the last event is an error. */
async function* readEvents(
  request: ServiceRequest,
  transport: Transport,
  deadline: Deadline,
): AsyncGenerator<StatusEvent, void, void> {
  const response = await transport.stream(request, deadline);
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  const events = createEventReader();
  try {
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) throw new Error('the stream ended before the render did');
      for (const data of events.push(decoder.decode(value, { stream: true }))) {
        deadline.suspend();
        yield parseEvent(data);
        deadline.reset();
      }
    }
  } catch (error) {
    throw error instanceof MillraceRenderError ? error : exchangeError(error, 'interrupted', request, deadline);
  } finally {
    // Closes the connection when the consumer stops. A broken stream cannot be cancelled, and need not be.
    reader?.cancel().catch(() => undefined);
  }
}

function parseEvent(data: string): StatusEvent {
  const event: unknown = JSON.parse(data);
  const isNotFound = isObject(event) && event.status === 'not_found';
  const fault = faultOfResponse(event, isNotFound ? 'NotFoundEvent' : 'RenderStatusEvent');
  if (fault !== undefined) throw new Error(`the stream sent a malformed event: ${fault}`);
  return (isObject(event) && !isNotFound ? { output: null, ...event } : event) as StatusEvent;
}
