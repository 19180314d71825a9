import type { ApiDocument } from '../document.ts';
import { type Html, html, joined, type Part } from './html.ts';
import { shown } from './shown-schema.ts';

/** More values than these stand in a list of their own, once for all places that take them. */
const SHOWN_IN_PLACE = 16;

/** Long lists of values that several places take. */
export interface ValueLists {
  /** The values themselves, or a link to their list. */
  show(values: readonly string[]): Part;
  /** Every list that there is. */
  readonly sections: readonly Html[];
}

/** Collects the long enums of all query parameters, each under the name of the first parameter that takes it. */
export function collectValueLists({ paths }: ApiDocument): ValueLists {
  const lists = new Map<string, { readonly id: string; readonly name: string; readonly values: readonly string[] }>();
  for (const { get } of Object.values(paths)) {
    for (const { name, schema } of get?.parameters ?? []) {
      const { enum: own, items } = shown(schema);
      const values = own ?? items?.enum ?? [];
      const text = values.join();
      if (values.length <= SHOWN_IN_PLACE || lists.has(text)) continue;
      const same = [...lists.values()].filter((list) => list.name === name).length;
      lists.set(text, { id: `values-${name}${same === 0 ? '' : same + 1}`, name, values });
    }
  }
  return {
    show(values) {
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
  return joined(
    values.map((value) => html`<code>${value}</code>`),
    ', ',
  );
}
