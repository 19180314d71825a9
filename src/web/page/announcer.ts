import { html, type View } from './html.ts';
import { createStore, useStore } from './store.ts';

const said = createStore('');

/** Has screen readers say something, when they have said what is before it. */
export function announce(text: string): void {
  said.set(text);
}

/** Where announcements stand; only screen readers notice it. */
export function Announcer(): View {
  return html`<p class="unseen" role="status">${useStore(said)}</p>`;
}

/** Puts the focus on the first of some elements that is there, once the page is drawn. */
export function focusOn(...ids: readonly string[]): void {
  requestAnimationFrame(() => {
    const found = ids.map((id) => document.getElementById(id)).find((element) => element !== null);
    found?.focus();
  });
}
