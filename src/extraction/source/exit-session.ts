import type { Caller } from '../../contract/caller.ts';
import { MillraceError } from '../../contract/errors.ts';
import { parseUrl } from '../../contract/parse-url.ts';
import type { Exit } from '../../egress/exits.ts';
import type { BreakerPermit } from '../../egress/limits/breaker.ts';
import type { SourceClient, SourceResponse } from '../../platforms/platform.ts';
import { SuspectedOutageError } from '../../platforms/suspected-outage.ts';
import type { RetryBudget } from './retry-budget.ts';
import type { SourcePolicy } from './source-policy.ts';

/** Codes that indicate that a source is down or blocks us. */
const outageCodes = new Set(['connection_error', 'operation_timeout', 'non_2xx_response']);

/** The requests of one extraction through one exit. */
export interface ExitSession {
  readonly exit: Exit;
  readonly source: SourceClient;
  /**
   * Reports the session's outcome to the breaker.
   *
   * @param outcome The extraction's outcome, if it used this exit. If absent, the outcome of the session's requests
   * counts.
   */
  end(outcome?: { readonly error?: unknown }): void;
  /** The breaker's error, if it denied the session its requests. */
  readonly denial: MillraceError | undefined;
}

/** The context that the sessions of an extraction share. */
interface SessionContext {
  readonly platform: string;
  /** What is requested: failures of different items count as several. */
  readonly subject: string;
  readonly caller: Caller;
  readonly policy: SourcePolicy;
  readonly retries: RetryBudget;
  readonly signal: AbortSignal;
}

/** Wraps a client in the source policy: circuit breaker, rate limit and retries. */
export function openExitSession(
  exit: Exit,
  client: SourceClient,
  { platform, subject, caller, policy, retries, signal }: SessionContext,
): ExitSession {
  let permit: BreakerPermit | undefined;
  let hasResponse = false;
  let failure: MillraceError | undefined;
  let denial: MillraceError | undefined;

  const acquire = (): BreakerPermit => {
    try {
      return policy.breaker.acquire(platform, exit.id, caller, subject);
    } catch (error) {
      if (error instanceof MillraceError) denial = error;
      throw error;
    }
  };
  const request = async (url: string, send: () => Promise<SourceResponse>): Promise<SourceResponse> => {
    permit ??= acquire();
    // An invalid URL has no host; the exit rejects the request.
    const waitForTurn = () => policy.rateLimiter.acquire(parseUrl(url)?.host ?? '', exit.id, caller, signal);
    return await retries.run(waitForTurn, async () => {
      try {
        const response = await send();
        hasResponse = true;
        return response;
      } catch (error) {
        if (isOutage(error)) failure = error;
        throw error;
      }
    });
  };
  return {
    exit,
    get denial() {
      return denial;
    },
    source: {
      ...client,
      get: (url, options) => request(url, () => client.get(url, options)),
      post: (url, body, options) => request(url, () => client.post(url, body, options)),
    },
    end(outcome) {
      const requests = hasResponse ? 'answered' : (failure ?? 'unknown');
      if (outcome === undefined) permit?.end(requests);
      else if (isOutage(outcome.error)) permit?.end(outcome.error);
      else permit?.end(outcome.error === undefined ? 'answered' : requests);
    },
  };
}

function isOutage(error: unknown): error is MillraceError {
  return error instanceof MillraceError && outageCodes.has(error.code) && !(error instanceof SuspectedOutageError);
}
