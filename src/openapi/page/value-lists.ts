import { type Html, html, join, type Part } from '../../http/html.ts';
import type { ApiDocument } from '../document-types.ts';
import { asJsonSchema } from './json-schema.ts';

/**
 * Maximum number of values that are listed in place. A longer list gets its own section, shared by all parameters that
 * use it.
 */
const MAX_IN_PLACE = 16;

/** The long enums of a document. */
export interface ValueLists {
  /** Returns the values of an enum, or a link to their section. */
  valuesOrLink(values: readonly string[]): Part;
  /** The section of each list. */
  readonly sections: readonly Html[];
}

/** Collects the long enums of all query parameters, each under the name of the first parameter that uses it. */
export function collectValueLists({ paths }: ApiDocument): ValueLists {
  const lists = new Map<string, { readonly id: string; readonly name: string; readonly values: readonly string[] }>();
  for (const { get } of Object.values(paths)) {
    for (const { name, schema } of get?.parameters ?? []) {
      const { enum: own, items } = asJsonSchema(schema);
      const values = own ?? items?.enum ?? [];
      const text = values.join();
      if (values.length <= MAX_IN_PLACE || lists.has(text)) continue;
      const same = [...lists.values()].filter((list) => list.name === name).length;
      lists.set(text, { id: `values-${name}${same === 0 ? '' : same + 1}`, name, values });
    }
  }
  return {
    valuesOrLink(values) {
      const list = lists.get(values.join());
      if (list === undefined) return codes(values);
      return html`<a href="#${list.id}">${values.length} values</a>`;
    },
    sections: [...lists.values()].map(
      ({ id, name, values }) => html`
<section aria-labelledby="${id}">
<h3 id="${id}"><a href="#${id}">Values of <code>${name}</code></a></h3>
<p>${codes(values)}</p>
</section>`,
    ),
  };
}

function codes(values: readonly string[]): Part {
  return join(
    values.map((value) => html`<code>${value}</code>`),
    ', ',
  );
}
