import type { NotFoundEvent, RenderStatusEvent } from '../../../src/contract/status.ts';
import { MillraceApiError, type MillraceClientError, MillraceNetworkError, MillraceRenderError } from './errors.ts';
import { backoff, openPatience, type Patience, pause } from './patience.ts';
import { isMembers } from './refusal.ts';
import { createEventReader } from './sse.ts';
import { type Ask, exchangeError, factsOf, type Transport } from './transport.ts';

/** How a render is watched. */
export interface WatchOptions {
  /** Ends it; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that the whole may take; 10 minutes. */
  readonly timeout?: number | undefined;
  /** Milliseconds without an event after which the stream is opened anew; 15 seconds. Events come every second. */
  readonly idleTimeout?: number | undefined;
  /** How often it is opened anew without an event in between; 8 times. */
  readonly reconnects?: number | undefined;
  /** Hears why, each time that it is going to be opened anew. */
  readonly onReconnect?: ((error: MillraceClientError) => void) | undefined;
}

const DEFAULT_TIMEOUT_MS = 600_000;
const DEFAULT_IDLE_MS = 15_000;
const DEFAULT_RECONNECTS = 8;

type StatusEvent = RenderStatusEvent | NotFoundEvent;

/**
 * The status events of a job until its last one, done or failed. A stream that breaks off or falls silent is opened
 * anew, with growing pauses.
 *
 * @throws MillraceRenderError where there is no such job; MillraceNetworkError where the stream does not come back or
 *   the time is over; MillraceApiError where it is refused.
 */
export async function* watch(
  url: URL,
  transport: Transport,
  options: WatchOptions = {},
): AsyncGenerator<RenderStatusEvent, void, void> {
  const { timeout = DEFAULT_TIMEOUT_MS, idleTimeout = DEFAULT_IDLE_MS, reconnects = DEFAULT_RECONNECTS } = options;
  const ask: Ask = { method: 'GET', url, headers: { accept: 'text/event-stream' }, idempotent: true };
  const whole = openPatience(timeout, [transport.signal, options.signal]);
  let failures = 0;
  try {
    for (;;) {
      const patience = openPatience(idleTimeout, [whole.signal]);
      try {
        for await (const event of eventsOf(ask, transport, patience)) {
          failures = 0;
          if (event.status === 'not_found') throw new MillraceRenderError(event);
          yield event;
          if (event.status === 'done' || event.status === 'failed') return;
        }
      } catch (error) {
        if (whole.expired) throw new MillraceNetworkError('timeout', overTime(timeout), factsOf(ask), error);
        if (!comesBack(error) || failures >= reconnects) throw error;
        options.onReconnect?.(error);
      } finally {
        patience.close();
      }
      await pause(backoff(failures), whole.signal).catch((reason: unknown) => {
        throw whole.expired ? new MillraceNetworkError('timeout', overTime(timeout), factsOf(ask), reason) : reason;
      });
      failures += 1;
    }
  } finally {
    whole.close();
  }
}

function overTime(timeout: number): string {
  return `The render was not over in ${timeout / 1_000} s. It goes on; watch it again, or with a longer timeout.`;
}

/** Whether opening the stream anew can bring what is missing. */
function comesBack(error: unknown): error is MillraceClientError {
  return (error instanceof MillraceNetworkError || error instanceof MillraceApiError) && error.retryable;
}

/** The events of one connection. It ends by itself only after the last event; an earlier end is an error. */
async function* eventsOf(ask: Ask, transport: Transport, patience: Patience): AsyncGenerator<StatusEvent, void, void> {
  const response = await transport.stream(ask, patience);
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  const events = createEventReader();
  try {
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) throw new Error('it ended before the render did');
      for (const data of events.push(decoder.decode(value, { stream: true }))) {
        patience.rest();
        yield readEvent(data);
        patience.renew();
      }
    }
  } catch (error) {
    throw error instanceof MillraceRenderError ? error : exchangeError(error, 'interrupted', ask, patience);
  } finally {
    // Whoever stops listening leaves; that a broken stream cannot be left changes nothing.
    reader?.cancel().catch(() => undefined);
  }
}

function readEvent(data: string): StatusEvent {
  const event: unknown = JSON.parse(data);
  if (!isMembers(event) || typeof event.status !== 'string') throw new Error('it told what is no status');
  if (typeof (event.status === 'not_found' ? event.id : event.job_id) !== 'string') throw new Error('it named no job');
  // Its other members are the service's promise.
  return event as StatusEvent;
}
