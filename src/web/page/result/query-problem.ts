import { MillraceApiError } from '#client/index.ts';
import { countryCodes } from '../../../contract/country-codes.ts';
import { html, type View } from '../common/html.ts';
import { Icon } from '../common/icon.ts';
import { messages } from '../language/language.ts';
import { countryFactsOf } from '../problems/countries.ts';
import { isCountryLocked } from '../problems/error-text.ts';
import { ErrorView } from '../problems/error-view.ts';
import { acceptsCountry } from '../query/fetch-result.ts';
import type { Query } from '../query/query.ts';
import { QueryLink } from '../query/query-link.ts';
import { CountryForm, CountryOption } from './country-form.ts';

interface QueryProblemProps {
  readonly query: Query;
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** Shows why a query has no result, and what else can be tried. */
export function QueryProblem({ query, error, onRetry }: QueryProblemProps): View {
  const apiError = error instanceof MillraceApiError ? error : undefined;
  const isLocked = apiError !== undefined && isCountryLocked(apiError);
  const countryHelps = apiError?.code === 'unavailable' || query.country !== undefined;
  return html`
    <${ErrorView} error=${error} onRetry=${onRetry} main icon=${isLocked ? 'language' : 'info'}>
      ${isLocked ? html`<${OtherCountry} query=${query} error=${apiError} />` : null}
      ${!isLocked && countryHelps ? html`<${CountryOption} query=${query} />` : null}
      ${apiError?.code === 'not_found' ? html`<${SearchInstead} text=${query.text} />` : null}
    <//>
  `;
}

/** Lets the visitor look up content from a country where it may be available. */
function OtherCountry({ query, error }: { query: Query; error: MillraceApiError }): View {
  if (!acceptsCountry(query.link)) return null;
  const { allowed, denied = [], usable } = countryFactsOf(error.detail);
  const selectable = usable ?? allowed ?? countryCodes.filter((code) => !denied.includes(code));
  return html`
    ${usable === undefined ? html`<p>${messages().problem.country.advice}</p>` : null}
    <${CountryForm} query=${query} allowed=${allowed} usable=${selectable} main />
  `;
}

/** Offers to search for a word that was taken for an ID. */
function SearchInstead({ text }: { text: string }): View {
  if (!/^[\w-]+$/.test(text)) return null;
  const address = `https://www.youtube.com/results?${new URLSearchParams({ search_query: text })}`;
  return html`<p>
    <${QueryLink} to=${address}><${Icon} name="search" /> ${messages().problem.searchInstead(text)}<//>
  </p>`;
}
