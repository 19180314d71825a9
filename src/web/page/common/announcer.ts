import { html, type View } from './html.ts';
import { createStore, useStore } from './store.ts';

const announcement = createStore('');

/** Announces a text to screen readers, after the text that they are reading now. */
export function announce(text: string): void {
  announcement.set(text);
}

/** Contains the announcements, which are perceptible only to screen readers. */
export function Announcer(): View {
  return html`<p class="unseen" role="status">${useStore(announcement)}</p>`;
}

/** Focuses the first existing element with one of these IDs, after the next render of the page. */
export function focusOn(...ids: readonly string[]): void {
  requestAnimationFrame(() => {
    ids
      .map((id) => document.getElementById(id))
      .find((element) => element !== null)
      ?.focus();
  });
}
