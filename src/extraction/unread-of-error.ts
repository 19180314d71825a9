import { MillraceError } from '../contract/errors.ts';
import { type UnreadKinds, UnreadResponseError } from '../platforms/unread.ts';

/** The kind of a whole response that could not be read: its error names no kinds, or the body is damaged. */
export const WHOLE_RESPONSE = 'response';

/** Returns the unread entries of a response that led to an error: none unless it is `invalid_response_data`. */
export function unreadOfError(error: unknown): UnreadKinds {
  if (error instanceof UnreadResponseError && Object.keys(error.unread).length > 0) return error.unread;
  return error instanceof MillraceError && error.code === 'invalid_response_data' ? { [WHOLE_RESPONSE]: 1 } : {};
}
