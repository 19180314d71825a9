import { MillraceError } from '../contract/errors.ts';

/** Returns the error for an invalid manifest, `invalid_response_data`, with the character at fault (the first is 0). */
export function manifestFault(offset: number, fault: string): MillraceError {
  return new MillraceError(
    'invalid_response_data',
    `The DASH manifest is not valid: what stands at character ${offset} ${fault}.`,
  );
}
