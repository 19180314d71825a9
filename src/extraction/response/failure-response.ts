import { type ExtractionResult, errorBody } from '../../contract/envelope.ts';
import type { MillraceError } from '../../contract/errors.ts';
import { testMember } from '../../contract/test-member.ts';
import type { Endpoint } from '../../platforms/platform.ts';
import type { ExtractionRequest } from '../request/read-request.ts';
import type { ExtractionResponse } from './build-response.ts';
import { chargeFor, priceNote, priceOfFailure } from './prices.ts';

/**
 * Builds the response for a failure of the source, which is sent with status 200 and has a price.
 *
 * @param requestId The request that receives the response.
 * @param note States that the platform fails often; absent if it does not.
 * @param isCached Whether the failure is a cached refusal.
 */
export function failureResponse(
  error: MillraceError,
  { endpoint, parameters, account }: ExtractionRequest,
  requestId: string,
  note: string | undefined,
  isCached: boolean,
): ExtractionResponse {
  const price = chargeFor(account, priceOfFailure(endpoint, parameters, error), isCached);
  const notes = [...(note === undefined ? [] : [note]), priceNote(price)];
  const body = Buffer.from(JSON.stringify({ ...failureResult(error, endpoint, requestId, account.test), notes }));
  return { body, price, headers: {}, code: error.code };
}

/**
 * Builds the body of an error for the request with this ID, in the structure of the endpoint's other responses.
 *
 * @param isTest Whether the caller has a test key.
 */
export function failureResult(
  error: MillraceError,
  endpoint: Endpoint,
  requestId: string,
  isTest: boolean,
): ExtractionResult {
  return {
    error: errorBody(error, requestId),
    ...(endpoint.contents ? { contents: [] } : {}),
    metadata: {},
    ...testMember(isTest),
  };
}
