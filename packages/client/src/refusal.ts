import type { FieldFault } from '../../../src/contract/errors.ts';
import { MillraceApiError, type RequestFacts } from './errors.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * The error that an answer tells: the `error` of its body, whatever the HTTP status; else one made of the status, where
 * that is no success (a gateway may answer in place of the service). Undefined for an answer that tells none.
 */
export function readRefusal(response: Response, body: unknown, request: RequestFacts): MillraceApiError | undefined {
  const error = isMembers(body) ? body.error : undefined;
  if (response.ok && !isMembers(error)) return undefined;
  const told: Members = isMembers(error) ? error : {};
  const status = response.ok ? numberOf(told.statusCode, 500) : response.status;
  return new MillraceApiError(
    {
      message: textOf(told.message) ?? `${request.url} answered ${response.status}.`,
      code: textOf(told.code) ?? 'other',
      statusCode: status,
      retryable: typeof told.retryable === 'boolean' ? told.retryable : status >= 500 || status === 429,
      parameter: textOf(told.parameter),
      reason: textOf(told.reason),
      fields: Array.isArray(told.fields) ? told.fields.filter(isFault) : undefined,
      retryAfter: secondsOf(response.headers.get('retry-after')),
      detail: told,
    },
    request,
  );
}

/** Seconds of a Retry-After header: a number, or until a date (RFC 9110 §10.2.3). */
function secondsOf(value: string | null): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

/** Whether a value is an object with members. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFault(value: unknown): value is FieldFault {
  return isMembers(value) && typeof value.path === 'string' && typeof value.message === 'string';
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
