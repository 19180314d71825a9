import { MillraceError } from '../contract/errors.ts';
import type { Egress } from '../egress/egress.ts';
import type { Endpoint, EndpointParameters, Extraction, Pages } from '../platforms/platform.ts';
import type { Wanted } from './field-filter.ts';
import { createSourceClient } from './source-client.ts';

/** The time that an extraction has in all. */
const EXTRACTION_TIMEOUT_MS = 25_000;

/**
 * Lets an endpoint ask its site, within the time that there is.
 *
 * @throws MillraceError with the code that says why there is no answer.
 */
export async function extract(
  endpoint: Endpoint,
  parameters: EndpointParameters,
  pages: Pages,
  wanted: Wanted,
  egress: Egress,
): Promise<Extraction> {
  if (parameters.countryCode !== undefined && parameters.countryCode !== 'worldwide') {
    throw new MillraceError(
      'unsupported_proxy_for_geo_targeting',
      `No exit is configured in ${parameters.countryCode}. Try another countryCode, or omit it.`,
      { parameter: 'countryCode' },
    );
  }
  const deadline = new AbortController();
  const late = new MillraceError('operation_timeout', 'The source took too long to answer. Try again.');
  const timer = setTimeout(() => deadline.abort(late), EXTRACTION_TIMEOUT_MS);
  try {
    const source = createSourceClient(egress, deadline.signal);
    return await endpoint.extract(parameters, {
      source,
      countries: [],
      sourceIn: () => source,
      pages,
      wanted,
      signal: deadline.signal,
    });
  } finally {
    clearTimeout(timer);
    deadline.abort(new Error('the extraction is over'));
  }
}
