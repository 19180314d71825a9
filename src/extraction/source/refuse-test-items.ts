import { MillraceError } from '../../contract/errors.ts';
import { isTestId } from '../../contract/test-items.ts';
import type { FetchSource } from './extract.ts';

/**
 * Makes a source of live keys refuse the documented items of the lab, before any request is sent. The platform does not
 * have them, and this error says what is wrong: the key.
 *
 * @throws MillraceError (by the returned function) `not_found`, and the errors of `fetchSource`.
 */
export function refuseTestItems(fetchSource: FetchSource): FetchSource {
  return async (query, caller, signal) => {
    const { items = [], channels = [] } = query.endpoint.subjects(query.parameters);
    const testId = [...items, ...channels].find((id) => isTestId(query.platform, id));
    if (testId === undefined) return await fetchSource(query, caller, signal);
    throw new MillraceError(
      'not_found',
      `The item ${testId} exists only for test keys. Send the request with a test key.`,
    );
  };
}
