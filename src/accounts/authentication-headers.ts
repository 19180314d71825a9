import { MillraceError } from '../contract/errors.ts';

/** Returns the value of a header; undefined if it is missing or empty. */
export function headerValue(value: string | string[] | undefined): string | undefined {
  const text = Array.isArray(value) ? value[0] : value;
  return text === undefined || text.trim() === '' ? undefined : text.trim();
}

/** Returns the error for a caller who is not authenticated (401) or has no permission (403). */
export function accessDenied(status: 401 | 403, message: string): MillraceError {
  return new MillraceError('invalid_user_details', message, { status });
}
