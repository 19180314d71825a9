import { html, type View } from './html.ts';
import { createStore, useStore } from './store.ts';

const announcement = createStore('');

/** Has screen readers read a text after what they are reading now. */
export function announce(text: string): void {
  announcement.set(text);
}

/** Holds the announcements; only screen readers notice it. */
export function Announcer(): View {
  return html`<p class="unseen" role="status">${useStore(announcement)}</p>`;
}

/** Focuses the first of some elements that exists, after the next drawing of the page. */
export function focusOn(...ids: readonly string[]): void {
  requestAnimationFrame(() => {
    ids
      .map((id) => document.getElementById(id))
      .find((element) => element !== null)
      ?.focus();
  });
}
