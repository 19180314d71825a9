import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { MediaItem } from '#client/index.ts';
import { announce } from '../common/announcer.ts';
import { html, type View } from '../common/html.ts';
import { saveLink } from '../common/save-link.ts';
import { messages } from '../language/language.ts';
import { describeError } from '../problems/error-text.ts';
import { freshMedia } from '../query/fresh-media.ts';
import type { QueryResult } from '../query/query-result.ts';
import { isLinkExpired } from '../query/same-media.ts';

interface MediaLinkProps extends QueryResult {
  readonly item: MediaItem;
  readonly class?: string;
  readonly children?: ComponentChildren;
}

/** Links to the file of a media item. If the link has expired, a click requests a new one first. */
export function MediaLink({ query, result, item, class: className, children }: MediaLinkProps): View {
  const [current, setCurrent] = useState(item);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  const replaceAndSave = async () => {
    setBusy(true);
    setFailure(undefined);
    announce(messages().result.linkExpired);
    try {
      const fresh = await freshMedia({ query, result }, item);
      setCurrent(fresh);
      saveLink(fresh.url);
    } catch (error) {
      const { title, text } = describeError(error);
      setFailure(messages().result.linkNotReplaced(text ?? title));
    } finally {
      setBusy(false);
    }
  };
  const onClick = (event: MouseEvent) => {
    if (!isLinkExpired(current)) return;
    event.preventDefault();
    if (!busy) void replaceAndSave();
  };
  return html`
    <a class=${className} href=${current.url} download aria-busy=${busy} onClick=${onClick}>
      ${busy ? messages().files.restarting.fresh : children}
    </a>
    ${failure === undefined ? null : html`<span class="why" role="alert">${failure}</span>`}
  `;
}
