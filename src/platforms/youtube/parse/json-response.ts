import { MillraceError } from '../../../contract/errors.ts';
import { dig, type Fields, isFields, parseJson, text } from '../../../parsing/values.ts';

const TRY_AGAIN = 'Try again in a moment.';

/**
 * The JSON object of a response.
 *
 * @throws MillraceError what the status means; `invalid_response_data` for JSON that breaks off, `non_2xx_response` for
 *   a body that is no JSON object (empty, a page of HTML).
 */
export function parseResponse(body: string, status: number): Fields {
  const response = parseJson(body);
  if (status < 200 || status > 299) throw statusError(response, status);
  if (isFields(response)) return response;
  if (response !== undefined)
    throw new MillraceError('non_2xx_response', `YouTube sent no answer to the question. ${TRY_AGAIN}`);
  throw notJsonError(body);
}

/** What a body is that should be JSON and is none: `invalid_response_data` if it breaks off, else `non_2xx_response`. */
export function notJsonError(body: string): MillraceError {
  if (/^\s*[{[]/.test(body)) {
    return new MillraceError('invalid_response_data', `YouTube's answer breaks off or is damaged. ${TRY_AGAIN}`);
  }
  const what = body.trim() === '' ? 'an empty answer' : 'a page instead of data';
  return new MillraceError('non_2xx_response', `YouTube sent ${what}. ${TRY_AGAIN}`);
}

/** What a status other than 2xx means; InnerTube puts its own word into `error.status` (google.rpc.Code). */
function statusError(response: unknown, status: number): MillraceError {
  const word = dig(response, 'error', 'status');
  const reason = text(dig(response, 'error', 'message'))?.slice(0, 500);
  const options = reason === undefined ? {} : { reason };
  // An id that YouTube cannot even read is INVALID_ARGUMENT (seen 2026-07), an unknown handle or playlist NOT_FOUND.
  if (status === 404 || (status === 400 && word === 'INVALID_ARGUMENT')) {
    return new MillraceError('not_found', 'YouTube has nothing under this id.', options);
  }
  if (status === 401)
    return new MillraceError('signin_required', 'YouTube shows this to signed-in users only.', options);
  return new MillraceError('non_2xx_response', `YouTube answered with status ${status}. ${TRY_AGAIN}`, options);
}
