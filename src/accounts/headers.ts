import { MillraceError } from '../contract/errors.ts';

/** The value of a header; undefined for one that is missing or empty. */
export function single(value: string | string[] | undefined): string | undefined {
  const text = Array.isArray(value) ? value[0] : value;
  return text === undefined || text.trim() === '' ? undefined : text.trim();
}

/** The refusal of a caller: 401 for one that is not known, 403 for one that may not. */
export function denied(status: 401 | 403, message: string): MillraceError {
  return new MillraceError('invalid_user_details', message, { status });
}
