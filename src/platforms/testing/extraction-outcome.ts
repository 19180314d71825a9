import { expect } from 'vitest';
import { type ErrorCode, MillraceError } from '../../contract/errors.ts';

/**
 * Returns the result of an extraction from a changed response, or undefined if it failed because it could not read the
 * response. Any other error fails the test: it would be a verdict that the site did not give.
 *
 * @param change Describes the change, for the message of a failure.
 * @param codes The codes of errors for responses that cannot be read.
 */
export async function resultUnlessUnread<Result>(
  extraction: Promise<Result>,
  change: string,
  codes: readonly ErrorCode[] = ['invalid_response_data'],
): Promise<Result | undefined> {
  try {
    return await extraction;
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error;
    expect(codes, `${error.code} after ${change}`).toContain(error.code);
    return undefined;
  }
}
