import type { MillraceError } from '../contract/errors.ts';
import type { Extraction } from './platform.ts';

/** Failures of requests without a response from the site. `service_unavailable`: too many requests wait to be sent. */
export const withoutResponse: ReadonlySet<MillraceError['code']> = new Set([
  ...(['operation_timeout', 'connection_error', 'service_unavailable'] as const),
]);

/**
 * Returns the note on a result of a strategy that may have fewer qualities, if a better one was tried and got no
 * response. The next request may get more, so the result must not be cached.
 *
 * @param failures Failures of the better strategies.
 */
export function noteOnLesserStrategy(failures: readonly MillraceError[]): Pick<Extraction, 'notes' | 'incomplete'> {
  const failure = failures.find(({ code }) => withoutResponse.has(code));
  if (failure === undefined) return {};
  return { notes: [`Some qualities may be missing: ${failure.message}`], incomplete: true };
}
