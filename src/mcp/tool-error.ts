import { MillraceApiError, MillraceClientError, MillraceCollectionError, MillraceRenderError } from '#client/errors.ts';
import { errorAdvice } from '../contract/error-advice.ts';
import { type ErrorCode, errorCatalogue, toMillraceError } from '../contract/errors.ts';

/** An error as tools report it. Members without a value are left out. */
interface ToolError {
  readonly code: string;
  readonly message: string;
  /** What to do about the error. Absent for codes of newer versions of the service. */
  readonly advice?: string;
  readonly retryable: boolean;
  readonly [member: string]: unknown;
}

/**
 * Describes anything that a tool has thrown. Values that are not errors of the catalogue become `unexpected_error`, and
 * reveal no internals.
 */
export function toolErrorOf(error: unknown): ToolError {
  if (error instanceof MillraceApiError) {
    const { code, message, retryable, parameter, reason, fields, retryAfter, requestId, detail } = error;
    const { allowedCountries, deniedCountries } = detail;
    const more = { parameter, reason, fields, retryAfter, requestId, allowedCountries, deniedCountries };
    return describe(code, message, retryable, more);
  }
  if (error instanceof MillraceRenderError) {
    const { code, message, retryable, jobId, input, requestId } = error;
    return describe(code, message, retryable, { jobId, input, requestId });
  }
  if (error instanceof MillraceCollectionError) return describe('invalid_params', error.message, false, {});
  if (error instanceof MillraceClientError) return describe('service_unavailable', error.message, true, {});
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return describe('operation_timeout', 'The tool call took too long. Call the tool again.', true, {});
  }
  const { code, message, retryable, parameter } = toMillraceError(error);
  return describe(code, message, retryable, { parameter });
}

/** Whether an error is a fault of this program, which its operator must see. */
export function isUnexpected(error: unknown): boolean {
  return toolErrorOf(error).code === 'unexpected_error' && !(error instanceof MillraceClientError);
}

function describe(
  code: string,
  message: string,
  retryable: boolean,
  more: Readonly<Record<string, unknown>>,
): ToolError {
  const members = Object.entries(more).filter(([, value]) => value !== undefined && value !== null);
  return { code, message, ...adviceFor(code), retryable, ...Object.fromEntries(members) };
}

function adviceFor(code: string): { readonly advice?: string } {
  return isKnown(code) ? { advice: errorAdvice[code].action } : {};
}

function isKnown(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code);
}
