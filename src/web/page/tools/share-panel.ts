import { useState } from 'preact/hooks';
import { textAt } from '#client/read-members.ts';
import { announce } from '../common/announcer.ts';
import { html, type View } from '../common/html.ts';
import { Icon } from '../common/icon.ts';
import { messages } from '../language/language.ts';
import { titleOf } from '../query/media-facts.ts';
import { addressOf } from '../query/query.ts';
import type { QueryResult } from '../query/query-result.ts';
import { PhoneDialog } from './phone-dialog.ts';

/** Copies the links of an item and of this page, shares them, and sends the page to a phone. */
export function SharePanel({ query, result }: QueryResult): View {
  const { share: texts } = messages().tools;
  const [scanning, setScanning] = useState(false);
  const pageLink = new URL(addressOf(query), location.href).href;
  const itemLink = textAt(result.metadata.additionalData, 'url') ?? linkIn(query.text);
  const shareItem = () => {
    // The visitor may close the browser's dialog, which rejects the promise.
    navigator.share({ title: titleOf(result), url: itemLink ?? pageLink }).catch(() => undefined);
  };
  return html`
    <div class="actions share-actions">
      ${itemLink === undefined ? null : html`<${CopyButton} text=${itemLink}>${texts.copyItem}<//>`}
      <${CopyButton} text=${pageLink}>${texts.copyPage}<//>
      <button type="button" onClick=${() => setScanning(true)}><${Icon} name="phone" /> ${texts.phone}</button>
      ${
        'share' in navigator
          ? html`<button type="button" onClick=${shareItem}><${Icon} name="share" /> ${texts.share}</button>`
          : null
      }
    </div>
    ${scanning ? html`<${PhoneDialog} address=${pageLink} onClose=${() => setScanning(false)} />` : null}
  `;
}

/** Copies a text. The button confirms it until it loses the focus. */
function CopyButton({ text, children }: { text: string; children?: string }): View {
  const { share: texts } = messages().tools;
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState('copied');
      announce(texts.copied);
    } catch {
      // Refused by the browser or its settings. The reason is the browser's, and nothing else depends on it.
      setState('failed');
      announce(texts.copyFailed);
    }
  };
  const copied = state === 'copied';
  return html`
    <button type="button" onClick=${() => void copy()} onBlur=${() => setState('idle')}>
      <${Icon} name=${copied ? 'check' : 'copy'} />
      <span class="swap"><span data-shown=${!copied}>${children}</span><span data-shown=${copied}>${texts.copied}</span></span>
    </button>
    ${state === 'failed' ? html`<span class="fault small">${texts.copyFailed}</span>` : null}
  `;
}

function linkIn(text: string): string | undefined {
  return /https?:\/\/\S+/.exec(text)?.[0];
}
