import type { ComponentChildren } from 'preact';
import { recogniseLink } from '#client/index.ts';
import { html, type View } from './html.ts';
import { addressOf } from './question.ts';
import { go } from './router.ts';

/** A link to what an address of a platform leads to, within the page; plain text where it leads to nothing known. */
export function AskLink({ to, children }: { to: string | undefined; children?: ComponentChildren }): View {
  const link = to === undefined ? undefined : recogniseLink(to);
  if (to === undefined || link === undefined) return html`<span>${children}</span>`;
  const question = { text: to, link };
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(question);
  };
  return html`<a href=${addressOf(question)} onClick=${follow}>${children}</a>`;
}
