import { countryCodes } from '../../../contract/country-codes.ts';
import { languageTag } from '../language/language.ts';

/** Where content is available, as an error states it. All lists contain ISO 3166-1 alpha-2 codes. */
export interface CountryFacts {
  /** The countries where the content is available. */
  readonly allowed?: readonly string[];
  /** The countries where the content is not available. */
  readonly denied?: readonly string[];
  /** The countries that the service can send requests from. */
  readonly usable?: readonly string[];
}

/** Reads where content is available from the members of an error. */
export function countryFactsOf(detail: Readonly<Record<string, unknown>>): CountryFacts {
  const allowed = codesIn(detail.allowedCountries);
  const denied = codesIn(detail.deniedCountries);
  const usable = codesIn(detail.availableCountries);
  return {
    ...(allowed === undefined ? {} : { allowed }),
    ...(denied === undefined ? {} : { denied }),
    ...(usable === undefined ? {} : { usable }),
  };
}

/** Returns the code of a country as the service expects it; undefined for other texts. */
export function countryCodeIn(text: string | null): string | undefined {
  const code = text?.toUpperCase();
  return countryCodes.find((known) => known === code);
}

/** Returns the name of a country in the language of the page. */
export function countryName(code: string): string {
  return new Intl.DisplayNames(languageTag(), { type: 'region' }).of(code) ?? code;
}

/** Sorts countries by their names. */
export function byName(codes: readonly string[]): readonly string[] {
  const collator = new Intl.Collator(languageTag());
  return codes.toSorted((a, b) => collator.compare(countryName(a), countryName(b)));
}

function codesIn(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return [...new Set(value.flatMap((code) => (typeof code === 'string' ? (countryCodeIn(code) ?? []) : [])))];
}
