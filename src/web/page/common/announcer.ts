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

/**
 * Focuses the first existing element with one of these IDs, after the next render of the page. A visitor who is typing
 * keeps the focus: the element is announced instead.
 */
export function focusOn(...ids: readonly string[]): void {
  requestAnimationFrame(() => {
    const target = ids.map((id) => document.getElementById(id)).find((element) => element !== null);
    if (typedInto !== undefined && typedInto === document.activeElement) announce(target?.textContent ?? '');
    else target?.focus();
  });
}

/** The field into which the visitor has typed, until another element has the focus or Enter is pressed. */
let typedInto: EventTarget | undefined;

// During the capture phase, so that the field is known when a handler of the page moves the focus.
document.addEventListener(
  'input',
  (event) => {
    const { inputType } = event as InputEvent;
    // Check boxes and selects have no input type. A pasted or dropped link is complete.
    const isTyped = inputType !== undefined && inputType !== 'insertFromPaste' && inputType !== 'insertFromDrop';
    typedInto = isTyped ? (event.target ?? undefined) : undefined;
  },
  true,
);
document.addEventListener(
  'keydown',
  ({ key, isComposing }) => {
    if (key === 'Enter' && !isComposing) typedInto = undefined;
  },
  true,
);
// Browsers differ in whether a focused field that is removed from the page reports this.
document.addEventListener('focusout', ({ target }) => {
  // While the visitor looks at another window or tab, the field remains the active element.
  if (target !== document.activeElement) typedInto = undefined;
});
