import { MillraceError } from '../contract/errors.ts';

/** Returns the code that a span states for an error. Names and messages of errors may contain texts from outside. */
export function errorCodeOf(error: unknown): string {
  if (error instanceof MillraceError) return error.code;
  return error instanceof Error ? error.constructor.name : 'unknown';
}
