import { MillraceError } from '../contract/errors.ts';

/** Returns the error for an invalid playlist, `invalid_response_data`, with the line at fault (the first is 1). */
export function playlistFault(line: number, fault: string, cause?: unknown): MillraceError {
  return new MillraceError('invalid_response_data', `The HLS playlist is not valid: line ${line} ${fault}.`, { cause });
}
