import type { ListItem } from '#client/index.ts';
import { entryOfItem } from '../collection/entry.ts';
import { SelectBox } from '../collection/select-box.ts';
import type { Selection } from '../collection/selection.ts';
import { html, type View } from '../common/html.ts';
import { ItemCard } from './item-card.ts';

/** Shows items as cards, with a checkbox on each that can be downloaded. */
export function ItemGrid({ items, selection }: { items: readonly ListItem[]; selection: Selection }): View {
  return html`
    <ul class="grid cards">
      ${items.map((item, index) => {
        const entry = entryOfItem(item);
        return html`
          <${ItemCard} key=${index} item=${item} selected=${entry !== undefined && selection.keys.has(entry.source)}>
            ${entry === undefined ? null : html`<${SelectBox} selection=${selection} value=${entry.source} title=${entry.title} />`}
          <//>
        `;
      })}
    </ul>
  `;
}
