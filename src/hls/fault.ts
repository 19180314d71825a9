import { MillraceError } from '../contract/errors.ts';

/** A playlist that cannot be read: `invalid_response_data`, saying what is wrong at which line (the first is 1). */
export function playlistFault(line: number, fault: string, cause?: unknown): MillraceError {
  return new MillraceError('invalid_response_data', `The HLS playlist is not valid: line ${line} ${fault}.`, { cause });
}
