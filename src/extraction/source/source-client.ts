import type { Caller } from '../../contract/caller.ts';
import { MillraceError } from '../../contract/errors.ts';
import { parseUrl, validUrl } from '../../contract/parse-url.ts';
import { bindHeaders } from '../../egress/credentials.ts';
import type { Egress } from '../../egress/egress.ts';
import { fetchBody } from '../../egress/fetch-body.ts';
import type { SourceClient, SourceRequest, SourceResponse } from '../../platforms/platform.ts';
import { beginReading } from '../../platforms/reading.ts';
import { nextSlice } from '../../waiting/steps.ts';
import { startTimeLimit } from '../../waiting/time-limit.ts';

/** Maximum size of a response of a site in bytes: twice that of the largest page recorded (2.1 MB, 2026-11). */
const maxResponseBytes = 4 * 1024 * 1024;
const MAX_REQUEST_BYTES = 64 * 1024;
const TIMEOUT_MS = 10_000;

/** Creates the client through which an extraction for a caller reaches its source, using one of the exits of `egress/`. */
export function createSourceClient(
  exit: Egress & { readonly country?: string },
  caller: Caller,
  signal: AbortSignal,
): SourceClient {
  return {
    ...(exit.country === undefined ? {} : { country: exit.country }),
    get: (url, options) => exchange({ exit, caller, signal }, url, undefined, options),
    async post(url, body, options = {}) {
      const form = body instanceof URLSearchParams;
      const text = form ? body.toString() : JSON.stringify(body);
      if (Buffer.byteLength(text) > MAX_REQUEST_BYTES) {
        throw new MillraceError(
          'invalid_params',
          'The parameters are too long for a request to the source. Shorten them.',
        );
      }
      const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
      const headers = { 'content-type': type, ...options.headers };
      return await exchange({ exit, caller, signal }, url, text, { ...options, headers });
    },
  };
}

async function exchange(
  { exit, caller, signal }: { readonly exit: Egress; readonly caller: Caller; readonly signal: AbortSignal },
  url: string,
  requestBody: string | undefined,
  { headers = {}, maxBytes = maxResponseBytes, timeout = TIMEOUT_MS, followRedirects = true }: SourceRequest = {},
): Promise<SourceResponse> {
  const limit = startTimeLimit(timeout);
  try {
    const response = await fetchBody(
      exit,
      {
        url,
        caller,
        ...(requestBody === undefined ? {} : { method: 'POST', body: requestBody }),
        headers: bindHeaders(url, { 'accept-encoding': 'gzip, deflate, br', ...headers }),
        followRedirects,
        signal: AbortSignal.any([signal, limit.signal]),
      },
      maxBytes,
    );
    // Two responses that arrive together are not read in the same turn of the event loop.
    await nextSlice(signal);
    beginReading(validUrl(response.url).host);
    return {
      status: response.status,
      headers: response.headers,
      url: response.url,
      text: response.body.toString('utf8'),
    };
  } catch (error) {
    throw sourceError(error, url, limit.signal.aborted);
  } finally {
    limit.end();
  }
}

function sourceError(error: unknown, url: string, isTimeout: boolean): unknown {
  const host = parseUrl(url)?.host ?? 'The source';
  if (isTimeout)
    return new MillraceError('operation_timeout', `${host} took too long to respond. Try again.`, { cause: error });
  if (error instanceof MillraceError && (error.code === 'address_refused' || error.code === 'invalid_url')) {
    // A redirect to an internal address is an unexpected response of the source, not an error of the caller.
    const message = `${host} points to an address that cannot be fetched: ${error.message}`;
    return new MillraceError('unexpected_redirect', message, { cause: error });
  }
  return error;
}
