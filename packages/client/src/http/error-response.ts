import type { FieldFault } from '../../../../src/contract/errors.ts';
import { MillraceApiError, type RequestFacts } from '../errors.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Returns the error of a response: the `error` of its body, whatever the HTTP status. If the body contains none and the
 * status is not 2xx, the error describes the status, since a gateway may respond in place of the service. Returns
 * undefined for a response without an error.
 */
export function readApiError(response: Response, body: unknown, request: RequestFacts): MillraceApiError | undefined {
  const error = isObject(body) ? body.error : undefined;
  if (response.ok && !isObject(error)) return undefined;
  const members: Members = isObject(error) ? error : {};
  const status = response.ok ? numberOf(members.statusCode, 500) : response.status;
  return new MillraceApiError(
    {
      message: textOf(members.message) ?? `${request.url} returned ${response.status}.`,
      code: textOf(members.code) ?? 'other',
      statusCode: status,
      retryable: typeof members.retryable === 'boolean' ? members.retryable : status >= 500 || status === 429,
      parameter: textOf(members.parameter),
      reason: textOf(members.reason),
      fields: Array.isArray(members.fields) ? members.fields.filter(isFieldFault) : undefined,
      retryAfter: secondsOf(response.headers.get('retry-after')),
      requestId: textOf(members.requestId) ?? response.headers.get('x-request-id') ?? undefined,
      detail: members,
    },
    request,
  );
}

/** Returns the seconds of a Retry-After header, which contains a number or a date (RFC 9110 §10.2.3). */
function secondsOf(value: string | null): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

/** Whether a value is an object, and not an array. */
export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFieldFault(value: unknown): value is FieldFault {
  return isObject(value) && typeof value.path === 'string' && typeof value.message === 'string';
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function numberOf(value: unknown, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}
