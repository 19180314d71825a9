import { malformedResponse } from './transport-errors.ts';

/** Maximum interim responses (1xx) before the final one. RFC 9110 §15.2 has no limit, but servers send very few. */
const MAX_INTERIM = 10;

/**
 * Checks how many interim responses have preceded the final one. Otherwise a server could send them without end.
 *
 * @throws HTTPParserError if there are too many.
 */
export function checkInterimCount(count: number): void {
  if (count > MAX_INTERIM) throw malformedResponse(`more than ${MAX_INTERIM} interim responses precede it`);
}
