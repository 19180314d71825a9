import { html, type View } from '../common/html.ts';
import { messages } from '../language/language.ts';
import type { Selection } from './selection.ts';

interface SelectBoxProps {
  readonly selection: Selection;
  /** The key of the entry. */
  readonly value: string;
  readonly title: string;
}

/** Selects an entry of a list. With the Shift key, it selects a range. */
export function SelectBox({ selection, value, title }: SelectBoxProps): View {
  const toggle = (event: MouseEvent) => selection.toggle(value, event.shiftKey);
  return html`
    <label class="select-box">
      <input type="checkbox" checked=${selection.keys.has(value)} onClick=${toggle} />
      <span class="unseen">${messages().collection.select(title)}</span>
    </label>
  `;
}
