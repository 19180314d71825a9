import { MillraceApiError, MillraceClientError, MillraceNetworkError, type RequestFacts } from './errors.ts';
import type { Parameters } from './parameters.ts';
import { backoff, openPatience, type Patience, pause } from './patience.ts';
import { readRefusal } from './refusal.ts';

/** What every call may be told. */
export interface CallOptions {
  /** Ends the call; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that one attempt may take. */
  readonly timeout?: number | undefined;
  /** How often it is tried again where that can help and does no harm; 0 turns it off. */
  readonly retries?: number | undefined;
}

/** A request. */
export interface Ask {
  readonly method: RequestFacts['method'];
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** What of it errors may tell beside its method and address. */
  readonly parameters?: Parameters;
  /** Whether asking twice is as good as once, so that it is asked again where nobody knows if it arrived. */
  readonly idempotent: boolean;
}

/** The way to the service. */
export interface Transport {
  /**
   * Asks and reads JSON, tries again what was turned away for the moment (429, 503) or, if idempotent, did not arrive.
   *
   * @throws MillraceApiError, MillraceNetworkError; the reason of a signal.
   */
  json(ask: Ask, options?: CallOptions): Promise<unknown>;
  /**
   * Opens a stream, once. A refusal is an error, whatever it says.
   *
   * @throws as {@link json}.
   */
  stream(ask: Ask, patience: Patience): Promise<Response>;
  /** What ends everything that the client does. */
  readonly signal: AbortSignal | undefined;
}

/** What a transport is made of. */
export interface TransportSettings {
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal | undefined;
  readonly timeout: number;
  readonly retries: number;
}

/** Longest answer that is read: several times the longest that the service gives. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Longer waits are the caller's to decide about. */
const LONGEST_WAIT_MS = 30_000;

/** Opens the way to the service. */
export function createTransport(settings: TransportSettings): Transport {
  async function once(ask: Ask, patience: Patience): Promise<unknown> {
    const response = await send(settings.fetch, ask, patience);
    const text = await readText(response, ask, patience);
    const body = parse(text);
    const refusal = readRefusal(response, body, factsOf(ask));
    if (refusal !== undefined) throw refusal;
    if (body === undefined) {
      const message = `${factsOf(ask).url} answered with what is no JSON. Is this the address of the service?`;
      throw new MillraceNetworkError('unreadable', message, factsOf(ask));
    }
    return body;
  }

  async function withRetries(ask: Ask, timeout: number, retries: number, signal: AbortSignal): Promise<unknown> {
    for (let attempt = 0; ; attempt += 1) {
      const patience = openPatience(timeout, [signal]);
      try {
        return await once(ask, patience);
      } catch (error) {
        const wait = attempt < retries ? waitBefore(error, attempt, ask.idempotent) : undefined;
        if (wait === undefined) throw error;
        await pause(wait, signal);
      } finally {
        patience.close();
      }
    }
  }

  return {
    signal: settings.signal,
    async json(ask, { signal, timeout = settings.timeout, retries = settings.retries } = {}) {
      const whole = openPatience(Number.POSITIVE_INFINITY, [settings.signal, signal]);
      try {
        return await withRetries(ask, timeout, retries, whole.signal);
      } finally {
        whole.close();
      }
    },
    async stream(ask, patience) {
      const response = await send(settings.fetch, ask, patience);
      if (response.ok) return response;
      const body = parse(await readText(response, ask, patience));
      throw readRefusal(response, body, factsOf(ask));
    },
  };
}

/** What an error tells of a request. */
export function factsOf({ method, url, parameters }: Ask): RequestFacts {
  return { method, url: url.origin + url.pathname, ...(parameters === undefined ? {} : { parameters }) };
}

/** What a failed exchange is: a signal's reason where one ended it. */
export function exchangeError(
  cause: unknown,
  fault: 'unreachable' | 'interrupted',
  ask: Ask,
  patience: Patience,
): unknown {
  const facts = factsOf(ask);
  if (patience.expired) return new MillraceNetworkError('timeout', `${facts.url} took too long.`, facts, cause);
  if (patience.signal.aborted) return patience.signal.reason;
  if (cause instanceof MillraceClientError) return cause;
  const said = cause instanceof Error ? `: ${cause.message}` : '';
  const what = fault === 'unreachable' ? 'could not be reached' : 'broke off its answer';
  return new MillraceNetworkError(fault, `${facts.url} ${what}${said}.`, facts, cause);
}

async function send(fetchIt: typeof fetch, ask: Ask, patience: Patience): Promise<Response> {
  const { method, url, headers = {}, body } = ask;
  try {
    const init = { method, headers: { ...headers }, signal: patience.signal };
    return await fetchIt(url, body === undefined ? init : { ...init, body });
  } catch (error) {
    throw exchangeError(error, 'unreachable', ask, patience);
  }
}

async function readText(response: Response, ask: Ask, patience: Patience): Promise<string> {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let text = '';
  try {
    for (let next = await reader?.read(); next !== undefined && !next.done; next = await reader?.read()) {
      text += decoder.decode(next.value, { stream: true });
      if (text.length > MAX_BYTES) throw new Error(`it is longer than ${MAX_BYTES} bytes`);
    }
    return text + decoder.decode();
  } catch (error) {
    // What is left of it is not wanted; that it cannot be given up changes nothing.
    reader?.cancel().catch(() => undefined);
    throw exchangeError(error, 'interrupted', ask, patience);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Undefined is what no JSON can be.
    return undefined;
  }
}

/** Milliseconds to wait before a request is sent again; undefined where it is not. */
function waitBefore(error: unknown, attempt: number, idempotent: boolean): number | undefined {
  if (error instanceof MillraceNetworkError) {
    return idempotent && error.fault === 'unreachable' ? backoff(attempt) : undefined;
  }
  if (!(error instanceof MillraceApiError) || !error.retryable) return undefined;
  if (error.statusCode !== 429 && error.statusCode !== 503) return undefined;
  const wait = error.retryAfter === undefined ? backoff(attempt) : error.retryAfter * 1_000;
  return wait <= LONGEST_WAIT_MS ? wait : undefined;
}
