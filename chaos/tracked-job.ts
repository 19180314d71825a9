import { setTimeout as delay } from 'node:timers/promises';
import { eventsOf, fetchJson, type StartedJob, type StatusEvent } from '../test/support/http-client.ts';
import { keys } from '../test/support/processes.ts';
import { describeJobOfKind, type JobKindName } from './job-kinds.ts';

const RESPONSE_TIMEOUT_MS = 15_000;
/** Milliseconds without an event after which a stream is opened again. Events are sent once a second. */
const SILENCE_MS = 8_000;
const RETRY_PAUSE_MS = 300;

/** A job from the view of a client that retries after every error. */
export interface TrackedJob {
  readonly id: string;
  readonly kind: JobKindName;
  /** Tokens that identify its requests in the lab's journal. */
  readonly tokens: readonly string[];
  /** Returns the last received event; undefined before the first one. */
  latestEvent(): StatusEvent | undefined;
  isAccepted(): boolean;
  /** Settles with the final event; undefined if the signal was aborted first. */
  readonly end: Promise<{ readonly event: StatusEvent; readonly at: number } | undefined>;
  /** Starts the job again. Resolves with its new end. */
  restart(): TrackedJob['end'];
  /** Unexpected responses. */
  readonly faults: string[];
}

/** Starts a job by POST, retrying until there is a response, and listens until its end. */
export function startJob(serviceUrl: string, kind: JobKindName, slowSource: boolean, signal: AbortSignal): TrackedJob {
  const { job, tokens } = describeJobOfKind(kind, slowSource);
  const faults: string[] = [];
  let latestEvent: StatusEvent | undefined;
  let isAccepted = false;

  /** Retries until an attempt succeeds. Returns undefined if the signal was aborted first. */
  async function retryUntilAborted<T>(what: string, attempt: () => Promise<T | undefined>): Promise<T | undefined> {
    while (!signal.aborted) {
      try {
        const result = await attempt();
        if (result !== undefined) return result;
      } catch (error) {
        // Broken connections and timeouts are expected. All other errors are faults.
        if (!isConnectionError(error))
          faults.push(`${what} of ${job.id}: ${error instanceof Error ? error.message : error}`);
      }
      await delay(RETRY_PAUSE_MS);
    }
    return undefined;
  }

  async function accept(): Promise<true | undefined> {
    const { status, body } = await fetchJson<StartedJob>(`${serviceUrl}/api/v1/render/execute`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${keys.render}` },
      body: JSON.stringify(job),
      signal: AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]),
    });
    if (status === 200 || status === 202) return true;
    if (status < 500 && status !== 429) throw new Error(`the response was ${status} ${JSON.stringify(body)}`);
    return undefined;
  }

  async function listen(): Promise<StatusEvent | undefined> {
    for await (const event of streamEvents(serviceUrl, job.id, signal)) {
      latestEvent = event;
      if (isFinal(event)) return event;
    }
    return undefined;
  }

  async function run() {
    isAccepted = (await retryUntilAborted('the start', accept)) ?? false;
    const event = await retryUntilAborted('the status', listen);
    return event === undefined ? undefined : { event, at: performance.now() };
  }

  return {
    id: job.id,
    kind,
    tokens,
    latestEvent: () => latestEvent,
    isAccepted: () => isAccepted,
    end: run(),
    restart: run,
    faults,
  };
}

/** Requests the current status of a job from any node. Returns undefined if the node cannot report it. */
export async function fetchStatus(serviceUrl: string, id: string): Promise<StatusEvent | undefined> {
  for await (const event of streamEvents(serviceUrl, id, AbortSignal.timeout(RESPONSE_TIMEOUT_MS))) return event;
  return undefined;
}

/** Opens a status stream once, and reads it until it ends or sends no event for too long. */
async function* streamEvents(serviceUrl: string, id: string, signal: AbortSignal): AsyncGenerator<StatusEvent> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(new DOMException('silence', 'TimeoutError')), SILENCE_MS);
  try {
    const response = await fetch(`${serviceUrl}/api/v1/render/status/sse/${id}`, {
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (response.body === null) return;
    if (!response.ok) {
      await response.body.cancel();
      return;
    }
    for await (const event of eventsOf(response.body)) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(new DOMException('silence', 'TimeoutError')), SILENCE_MS);
      yield event;
    }
  } finally {
    clearTimeout(timer);
  }
}

function isFinal({ status }: StatusEvent): boolean {
  return status === 'done' || status === 'failed' || status === 'not_found';
}

/** Returns whether `fetch` failed because of a broken connection or a timeout. */
export function isConnectionError(error: unknown): boolean {
  return error instanceof TypeError || error instanceof DOMException;
}
