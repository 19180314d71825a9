import { MillraceError } from '../../contract/errors.ts';
import type { ExtractionContext, SourceClient } from '../platform.ts';
import type { Refusal } from './parse/refusal.ts';
import type { Site } from './requests.ts';

/** Milliseconds that must be left for another try of a whole chain. */
const CYCLE_MS = 10_000;

/** What a chain of questions found, or the site's "no". */
export type Found<T> =
  | { readonly found: T; readonly refusal?: never }
  | { readonly refusal: Refusal; readonly found?: never };

/** One way of asking for something. */
export type Way<T> = (source: SourceClient) => Promise<Found<T>>;

/**
 * Tries ways one after the other until one is answered, and then all once more: the site's answers differ from request
 * to request. The second time goes out through another country where the operator has one.
 *
 * @throws MillraceError the site's "no"; else what the first answer was like that was none.
 */
export async function tryWays<T>(
  ways: readonly Way<T>[],
  site: Site,
  { source, countries, sourceIn, signal }: ExtractionContext,
): Promise<{ readonly found: T; readonly source: SourceClient }> {
  const other = countries.find((country) => country !== source.country);
  const failures: MillraceError[] = [];
  const exits = [source, other === undefined ? source : sourceIn(other)];
  for (const [cycle, exit] of exits.entries()) {
    if (cycle > 0 && site.budget.left() < CYCLE_MS) break;
    const { found, refusal } = await tryOnce(ways, exit, signal, failures);
    if (found !== undefined) return { found, source: exit };
    if (refusal === undefined) continue;
    if (!refusal.elsewhere || other === undefined) throw refusal.error;
    failures.unshift(refusal.error);
  }
  throw joined(failures);
}

/** Goes through the ways until one is answered; what goes wrong is added to the failures. */
async function tryOnce<T>(
  ways: readonly Way<T>[],
  source: SourceClient,
  signal: AbortSignal,
  failures: MillraceError[],
): Promise<Partial<Found<T>>> {
  for (const way of ways) {
    try {
      return await way(source);
    } catch (error) {
      if (!isPassing(error) || signal.aborted) throw error;
      failures.push(error);
    }
  }
  return {};
}

/** Whether another request may be answered. A login is at times asked of one visitor and not of the next. */
function isPassing(error: unknown): error is MillraceError {
  return error instanceof MillraceError && (error.retryable || error.code === 'signin_required');
}

/** The failure that tells most: a refusal or a login before what time may mend, and then the first. */
function joined(failures: readonly MillraceError[]): MillraceError {
  const [telling] = failures.toSorted((a, b) => Number(a.retryable) - Number(b.retryable));
  if (telling === undefined) {
    return new MillraceError('operation_timeout', 'TikTok took too long to answer. Try again.');
  }
  const { code, message, reason } = telling;
  return new MillraceError(code, message, {
    cause: new AggregateError(failures),
    ...(reason === undefined ? {} : { reason }),
  });
}
