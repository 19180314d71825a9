import { MillraceError } from '../../../contract/errors.ts';
import { dig, type Fields, isFields, text } from '../../../parsing/values.ts';
import { parseSiteJson } from '../../reading.ts';

/** The site rejects the request as such, for example because the client's version is outdated. */
export class RejectedRequestError extends MillraceError {}

const TRY_AGAIN = 'Try again in a moment.';

/**
 * Returns the JSON object of a response.
 *
 * @throws MillraceError the error for the status; `invalid_response_data` for truncated JSON, `non_2xx_response` for a
 * body that is not a JSON object (empty, an HTML page).
 */
export function parseResponse(body: string, status: number): Fields {
  const response = parseSiteJson(body);
  if (status < 200 || status > 299) throw statusError(response, status);
  if (isFields(response)) return response;
  if (response !== undefined)
    throw new MillraceError('non_2xx_response', `YouTube sent no valid response. ${TRY_AGAIN}`);
  throw notJsonError(body);
}

/**
 * Returns the error for a body that should be JSON: `invalid_response_data` if it is truncated, else
 * `non_2xx_response`.
 */
export function notJsonError(body: string): MillraceError {
  if (/^\s*[{[]/.test(body)) {
    return new MillraceError('invalid_response_data', `YouTube's response is truncated or damaged. ${TRY_AGAIN}`);
  }
  const what = body.trim() === '' ? 'an empty response' : 'a page instead of data';
  return new MillraceError('non_2xx_response', `YouTube returned ${what}. ${TRY_AGAIN}`);
}

/** Returns the error for a status other than 2xx. InnerTube has its own code in `error.status` (google.rpc.Code). */
function statusError(response: unknown, status: number): MillraceError {
  const word = dig(response, 'error', 'status');
  const reason = text(dig(response, 'error', 'message'))?.slice(0, 500);
  const options = reason === undefined ? {} : { reason };
  // INVALID_ARGUMENT means a malformed ID (seen 2026-07), NOT_FOUND an unknown handle or playlist.
  if (status === 404 || (status === 400 && word === 'INVALID_ARGUMENT')) {
    return new MillraceError('not_found', 'YouTube has nothing with this ID.', options);
  }
  if (status === 401)
    return new MillraceError('signin_required', 'YouTube requires a signed-in user for this content.', options);
  // VISIONOS 0.1 got 400 FAILED_PRECONDITION (seen 2026-09).
  return status === 400 || status === 403
    ? new RejectedRequestError('non_2xx_response', `YouTube returned status ${status}. ${TRY_AGAIN}`, options)
    : new MillraceError('non_2xx_response', `YouTube returned status ${status}. ${TRY_AGAIN}`, options);
}
