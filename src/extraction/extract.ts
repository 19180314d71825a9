import { MillraceError } from '../contract/errors.ts';
import type { Endpoint, EndpointParameters, Extraction, Pages } from '../platforms/platform.ts';
import type { Wanted } from './field-filter.ts';
import { type Outside, openLegs } from './legs.ts';

/** The time that an extraction has in all. */
const EXTRACTION_TIMEOUT_MS = 25_000;

/** What an extraction came to. */
export interface Extracted extends Extraction {
  /** The exit that it went through; its media is fetched through the same. */
  readonly exit: string;
}

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
  outside: Outside,
): Promise<Extracted> {
  const deadline = new AbortController();
  const { signal } = deadline;
  const end = performance.now() + EXTRACTION_TIMEOUT_MS;
  const legs = openLegs(outside, endpoint, parameters, () => end - performance.now(), signal);
  const late = new MillraceError('operation_timeout', 'The source took too long to answer. Try again.');
  const timer = setTimeout(() => deadline.abort(late), EXTRACTION_TIMEOUT_MS);
  try {
    const { source, sourceIn } = legs;
    const { countries } = outside.exits;
    const extraction = await endpoint.extract(parameters, { source, countries, sourceIn, pages, wanted, signal });
    return { ...extraction, exit: legs.succeeded(extraction.country) };
  } catch (error) {
    throw legs.failed(error);
  } finally {
    clearTimeout(timer);
    deadline.abort(new Error('the extraction is over'));
  }
}
