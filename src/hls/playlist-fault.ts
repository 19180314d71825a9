import { MillraceError } from '../contract/errors.ts';

/**
 * Returns the `invalid_response_data` error for an invalid playlist, with the number of the invalid line (the first is
 * 1).
 */
export function playlistFault(line: number, fault: string, cause?: unknown): MillraceError {
  return new MillraceError('invalid_response_data', `The HLS playlist is invalid: line ${line} ${fault}.`, { cause });
}
