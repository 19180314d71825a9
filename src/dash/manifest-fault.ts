import { MillraceError } from '../contract/errors.ts';

/**
 * Returns the `invalid_response_data` error for an invalid manifest, with the offset of the invalid character (the
 * first is 0).
 */
export function manifestFault(offset: number, fault: string): MillraceError {
  return new MillraceError('invalid_response_data', `The DASH manifest is invalid at character ${offset}: ${fault}.`);
}
