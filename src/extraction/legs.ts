import { MillraceError } from '../contract/errors.ts';
import type { SourceClient } from '../platforms/platform.ts';
import type { Outside } from './extract.ts';
import { type Leg, openLeg } from './leg.ts';
import type { Question } from './question.ts';
import { openRetries } from './retries.ts';
import { createSourceClient } from './source-client.ts';

/** What one extraction does through its exits. The first one is that of the caller's choice. */
export interface Legs {
  readonly source: SourceClient;
  /** The way through an exit in a country, which stays the same. */
  sourceIn(country: string): SourceClient;
  /** Ends the extraction, whose answer came from a country where one is named; returns the exit that it came through. */
  succeeded(country: string | undefined): string;
  /**
   * Ends the extraction without an answer, and returns why: where nothing was asked because the source is left alone,
   * that tells more than what the platform made of it.
   */
  failed(error: unknown): unknown;
}

/**
 * Opens the exits of an extraction: of those in a country one whose circuit lets it through.
 *
 * @param timeLeft Milliseconds that the extraction has left.
 * @throws MillraceError `unsupported_proxy_for_geo_targeting` where no exit is in the country.
 */
export function openLegs(
  { platform, key: subject, parameters }: Question,
  { exits, manners }: Outside,
  timeLeft: () => number,
  signal: AbortSignal,
): Legs {
  const retries = openRetries(timeLeft, signal, () => manners.countRetry(platform));
  const legs: Leg[] = [];
  const inCountry = (country: string) => legs.find(({ exit }) => exit.country === country);

  const open = (country?: string): Leg => {
    const candidates = exits.serving(country);
    const exit = candidates.find(({ id }) => manners.breaker.permits(platform, id)) ?? candidates[0];
    if (exit === undefined) throw unsupported(country, exits.countries);
    const leg = openLeg(exit, createSourceClient(exit, signal), { platform, subject, manners, retries, signal });
    legs.push(leg);
    return leg;
  };
  const end = (main: Leg, outcome: { readonly error?: unknown }) => {
    for (const leg of legs) leg.end(leg === main ? outcome : undefined);
  };

  const { countryCode } = parameters;
  const first = open(typeof countryCode === 'string' ? countryCode : undefined);
  return {
    source: first.source,
    sourceIn: (country) => (inCountry(country) ?? open(country)).source,
    succeeded(country) {
      const main = country === undefined ? first : (inCountry(country) ?? first);
      end(main, {});
      return main.exit.id;
    },
    failed(error) {
      end(first, { error });
      return first.refusal ?? error;
    },
  };
}

function unsupported(country: string | undefined, countries: readonly string[]): MillraceError {
  const message = `No exit is configured in ${country}. Try another countryCode, or omit it.`;
  return new MillraceError('unsupported_proxy_for_geo_targeting', message, {
    parameter: 'countryCode',
    detail: { availableCountries: countries },
  });
}
