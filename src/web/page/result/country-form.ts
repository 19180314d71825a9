import { useState } from 'preact/hooks';
import { countryCodes } from '../../../contract/country-codes.ts';
import { html, type View } from '../common/html.ts';
import { messages } from '../language/language.ts';
import { byName, countryName } from '../problems/countries.ts';
import { acceptsCountry } from '../query/fetch-result.ts';
import type { Query } from '../query/query.ts';
import { navigate } from '../query/router.ts';

interface CountryFormProps {
  readonly query: Query;
  /** The countries where the content is available, which come first. */
  readonly allowed?: readonly string[] | undefined;
  /** The countries that can be selected; default: all. */
  readonly usable?: readonly string[] | undefined;
  /** Whether its button is the main one of the page. */
  readonly main?: boolean;
}

/** Lets the visitor select the country from which the platform is requested. */
export function CountryForm({ query, allowed = [], usable = countryCodes, main = false }: CountryFormProps): View {
  const first = byName(usable.filter((code) => allowed.includes(code)));
  const others = byName(usable.filter((code) => !allowed.includes(code)));
  // A country that cannot be selected would leave the field empty.
  const current = query.country !== undefined && usable.includes(query.country) ? query.country : undefined;
  const [selected, setSelected] = useState(current ?? first[0] ?? '');
  const { country: texts } = messages().problem;
  const apply = (event: Event) => {
    event.preventDefault();
    const { country: _previous, ...rest } = query;
    navigate(selected === '' ? rest : { ...rest, country: selected });
  };
  return html`
    <form class="country" onSubmit=${apply}>
      <label for="country">${texts.label}</label>
      <select id="country" value=${selected} onChange=${(event: Event) => setSelected((event.currentTarget as HTMLSelectElement).value)}>
        <option value="">${texts.automatic}</option>
        ${first.length === 0 ? null : html`<optgroup label=${texts.available}><${Options} codes=${first} /></optgroup>`}
        ${
          others.length === 0
            ? null
            : first.length === 0
              ? html`<${Options} codes=${others} />`
              : html`<optgroup label=${texts.others}><${Options} codes=${others} /></optgroup>`
        }
      </select>
      <button type="submit" class=${main ? 'primary' : ''}>${texts.apply}</button>
    </form>
  `;
}

/** Shows the country of a query in a disclosure; nothing if its link cannot be requested from a certain country. */
export function CountryOption({ query }: { query: Query }): View {
  if (!acceptsCountry(query.link)) return null;
  const { country: texts } = messages().problem;
  return html`
    <details class="country-option">
      <summary>
        ${texts.option} <span class="soft">${query.country === undefined ? texts.automatic : countryName(query.country)}</span>
      </summary>
      <p class="soft">${texts.explanation}</p>
      <${CountryForm} query=${query} />
    </details>
  `;
}

function Options({ codes }: { codes: readonly string[] }): View {
  return html`${codes.map((code) => html`<option key=${code} value=${code}>${countryName(code)}</option>`)}`;
}
