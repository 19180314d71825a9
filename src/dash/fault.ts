import { MillraceError } from '../contract/errors.ts';

/** A manifest that cannot be read: `invalid_response_data`, saying what is wrong at which character (the first is 0). */
export function manifestFault(offset: number, fault: string): MillraceError {
  return new MillraceError(
    'invalid_response_data',
    `The DASH manifest is not valid: what stands at character ${offset} ${fault}.`,
  );
}
