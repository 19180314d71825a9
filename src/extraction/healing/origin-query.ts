import { MillraceError } from '../../contract/errors.ts';
import type { ItemOrigin } from '../../contract/media-origin.ts';
import type { Platform } from '../../platforms/platform.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import { type QueryParameters, readParameters } from '../request/read-parameters.ts';
import { type SourceQuery, sourceQueryOf } from '../request/source-query.ts';

/**
 * Returns the source query for the contents of an item, and for nothing else of its response. The origin may come from
 * another version of the service, so its parameters are checked like those of a request.
 *
 * @throws MillraceError `token_expired` if this version does not know the origin.
 */
export function originQuery(origin: ItemOrigin, platforms: readonly Platform[], sealer: Sealer): SourceQuery {
  const { platform: id, endpoint: path } = origin;
  const endpoint = platforms.find((platform) => platform.id === id)?.endpoints.find((one) => one.path === path);
  // The page of a list is not part of an origin.
  if (endpoint?.contents !== true || 'nextToken' in endpoint.parameters.properties) throw unknownOrigin();
  try {
    const parameters = readParameters(endpoint.parameters, textsOf(origin.parameters));
    return sourceQueryOf(id, endpoint, { ...parameters, fields: ['contents'] }, sealer);
  } catch (cause) {
    throw unknownOrigin(cause);
  }
}

/** Returns parameters as a query string has them. */
function textsOf(parameters: ItemOrigin['parameters']): QueryParameters {
  const entries = Object.entries(parameters).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(',') : value,
  ]);
  return Object.fromEntries(entries);
}

function unknownOrigin(cause?: unknown): MillraceError {
  const message =
    'The link has expired and cannot be replaced, because another version of the service created it. Request a new link.';
  return new MillraceError('token_expired', message, { cause });
}
