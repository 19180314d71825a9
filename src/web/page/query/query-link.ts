import type { ComponentChildren } from 'preact';
import { recogniseLink } from '#client/index.ts';
import { html, type View } from '../common/html.ts';
import { addressOf } from './query.ts';
import { navigate } from './router.ts';

/** Links to the query for an address on a platform. Shows plain text if the address is not recognised. */
export function QueryLink({ to, children }: { to: string | undefined; children?: ComponentChildren }): View {
  const link = to === undefined ? undefined : recogniseLink(to);
  if (to === undefined || link === undefined) return html`<span>${children}</span>`;
  const query = { text: to, link };
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    navigate(query);
  };
  return html`<a href=${addressOf(query)} onClick=${follow}>${children}</a>`;
}
