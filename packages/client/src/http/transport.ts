import { MillraceApiError, MillraceClientError, MillraceNetworkError, type RequestFacts } from '../errors.ts';
import type { Parameters } from '../parameters.ts';
import { backoff, pause } from './backoff.ts';
import { faultOfResponse, type ShapeName } from './check-response.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import { readApiError } from './error-response.ts';
import { fetchFollowing } from './follow-redirects.ts';

/** Options of every call. */
export interface CallOptions {
  /** Cancels the call, which then throws its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of one attempt, in milliseconds. */
  readonly timeout?: number | undefined;
  /** Maximum retries, if a retry is safe and can succeed; 0 turns them off. */
  readonly retries?: number | undefined;
}

/** A request to the service. */
export interface ServiceRequest {
  readonly method: RequestFacts['method'];
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Parameters that errors report besides the method and the address. */
  readonly parameters?: Parameters;
  /** The shape of the response. Without one, only its depth is checked. */
  readonly shape?: ShapeName;
  /** Whether the request can be sent again if it is unknown whether it arrived. */
  readonly idempotent: boolean;
}

/** Sends requests to the service. */
export interface Transport {
  /**
   * Sends a request and reads its JSON. Retries after 429 and 503 and, if idempotent, when there was no response.
   *
   * @throws MillraceApiError, MillraceNetworkError; the reason of a signal.
   */
  json(request: ServiceRequest, options?: CallOptions): Promise<unknown>;
  /**
   * Opens a stream, without retries. Any status that is not 2xx is an error.
   *
   * @throws The same errors as {@link json}.
   */
  stream(request: ServiceRequest, deadline: Deadline): Promise<Response>;
  /**
   * Returns the response to a request, whatever its status, without retries.
   *
   * @throws MillraceNetworkError; the reason of a signal.
   */
  respond(request: ServiceRequest, deadline: Deadline): Promise<Response>;
  /** Cancels everything that the client does. */
  readonly signal: AbortSignal | undefined;
}

/** A response, as {@link OnResponse} receives it. */
export interface ResponseFacts {
  readonly method: RequestFacts['method'];
  /** The URL without its query, which may be a credential. */
  readonly url: string;
  readonly status: number;
  /** ID of the request (`X-Request-Id`). Undefined for older versions of the service. */
  readonly requestId: string | undefined;
}

/** Receives each response of the service, including those that are retried. */
export type OnResponse = (response: ResponseFacts) => void;

/** The settings of a transport. */
interface TransportSettings {
  readonly fetch: typeof fetch;
  readonly onResponse: OnResponse | undefined;
  readonly signal: AbortSignal | undefined;
  readonly timeout: number;
  readonly retries: number;
}

/** Maximum characters of a response: several times the longest response of the service. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** Maximum delay before a retry. If the service requests a longer one, the error is thrown without a retry. */
const MAX_RETRY_DELAY_MS = 30_000;

/** Opens a transport. */
export function createTransport(settings: TransportSettings): Transport {
  async function sendOnce(request: ServiceRequest, deadline: Deadline): Promise<unknown> {
    const response = await send(settings, request, deadline);
    const text = await readText(response, request, deadline);
    const body = parseJson(text);
    const error = readApiError(response, body, describeRequest(request));
    if (error !== undefined) throw error;
    if (body === undefined) {
      const message = `${describeRequest(request).url} did not return JSON. Check that this is the address of the service.`;
      throw new MillraceNetworkError('unreadable', message, describeRequest(request));
    }
    checkShape(body, request);
    return body;
  }

  async function sendWithRetries(
    request: ServiceRequest,
    timeout: number,
    retries: number,
    signal: AbortSignal,
  ): Promise<unknown> {
    for (let attempt = 0; ; attempt += 1) {
      const deadline = startDeadline(timeout, [signal]);
      try {
        return await sendOnce(request, deadline);
      } catch (error) {
        const delay = attempt < retries ? retryDelay(error, attempt, request.idempotent) : undefined;
        if (delay === undefined) throw error;
        await pause(delay, signal);
      } finally {
        deadline.close();
      }
    }
  }

  return {
    signal: settings.signal,
    async json(request, { signal, timeout = settings.timeout, retries = settings.retries } = {}) {
      const overall = startDeadline(Number.POSITIVE_INFINITY, [settings.signal, signal]);
      try {
        return await sendWithRetries(request, timeout, retries, overall.signal);
      } finally {
        overall.close();
      }
    },
    respond: (request, deadline) => send(settings, request, deadline),
    async stream(request, deadline) {
      const response = await send(settings, request, deadline);
      if (response.ok) return response;
      const body = parseJson(await readText(response, request, deadline));
      throw readApiError(response, body, describeRequest(request));
    },
  };
}

/** Returns the parts of a request that errors report. */
export function describeRequest({ method, url, parameters }: ServiceRequest): RequestFacts {
  return { method, url: url.origin + url.pathname, ...(parameters === undefined ? {} : { parameters }) };
}

/** @throws MillraceNetworkError with the fault `malformed`. */
function checkShape(value: unknown, request: ServiceRequest): void {
  const fault = faultOfResponse(value, request.shape);
  if (fault === undefined) return;
  const facts = describeRequest(request);
  const message = `${facts.url} sent a malformed response: ${fault}. Report this to the operator of the service.`;
  throw new MillraceNetworkError('malformed', message, facts);
}

/** Returns the error of a failed exchange: the signal's reason if a signal aborted it. */
export function exchangeError(
  cause: unknown,
  fault: 'unreachable' | 'interrupted',
  request: ServiceRequest,
  deadline: Deadline,
): unknown {
  const facts = describeRequest(request);
  if (deadline.expired) return new MillraceNetworkError('timeout', `${facts.url} timed out.`, facts, cause);
  if (deadline.signal.aborted) return deadline.signal.reason;
  if (cause instanceof MillraceClientError) return cause;
  const reason = cause instanceof Error ? `: ${cause.message}` : '';
  const problem = fault === 'unreachable' ? 'could not be reached' : 'sent an incomplete response';
  return new MillraceNetworkError(fault, `${facts.url} ${problem}${reason}.`, facts, cause);
}

async function send(
  { fetch: fetchFn, onResponse }: Pick<TransportSettings, 'fetch' | 'onResponse'>,
  request: ServiceRequest,
  deadline: Deadline,
): Promise<Response> {
  const { method, url, headers = {}, body } = request;
  try {
    const init = { method, headers: { ...headers }, signal: deadline.signal, ...(body === undefined ? {} : { body }) };
    const response = await fetchFollowing(fetchFn, url, init, describeRequest(request));
    onResponse?.({
      method,
      url: describeRequest(request).url,
      status: response.status,
      requestId: response.headers.get('x-request-id') ?? undefined,
    });
    return response;
  } catch (error) {
    throw exchangeError(error, 'unreachable', request, deadline);
  }
}

async function readText(response: Response, request: ServiceRequest, deadline: Deadline): Promise<string> {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let text = '';
  try {
    for (let next = await reader?.read(); next !== undefined && !next.done; next = await reader?.read()) {
      text += decoder.decode(next.value, { stream: true });
      if (text.length > MAX_CHARACTERS) throw new Error(`the response is longer than ${MAX_CHARACTERS} characters`);
    }
    return text + decoder.decode();
  } catch (error) {
    // The rest of the body is not needed; a failure to cancel it changes nothing.
    reader?.cancel().catch(() => undefined);
    throw exchangeError(error, 'interrupted', request, deadline);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Text that is not JSON reads as undefined.
    return undefined;
  }
}

/** Returns the milliseconds to wait before a retry; undefined if the error is final. */
function retryDelay(error: unknown, attempt: number, idempotent: boolean): number | undefined {
  if (error instanceof MillraceNetworkError) {
    return idempotent && error.fault === 'unreachable' ? backoff(attempt) : undefined;
  }
  if (!(error instanceof MillraceApiError) || !error.retryable) return undefined;
  if (error.statusCode !== 429 && error.statusCode !== 503) return undefined;
  const delay = error.retryAfter === undefined ? backoff(attempt) : error.retryAfter * 1_000;
  return delay <= MAX_RETRY_DELAY_MS ? delay : undefined;
}
