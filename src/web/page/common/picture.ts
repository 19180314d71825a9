import { useState } from 'preact/hooks';
import { html, type View } from './html.ts';

/** Shows an image, loaded when it scrolls into view; an empty surface if there is none. */
export function Picture({ src, alt = '', shape }: { src: string | undefined; alt?: string; shape: string }): View {
  const [broken, setBroken] = useState(false);
  if (src === undefined || broken) return html`<span class=${`picture ${shape}`} aria-hidden="true"></span>`;
  return html`
    <img class=${`picture ${shape}`} loading="lazy" decoding="async" src=${src} alt=${alt} onError=${() => setBroken(true)} />
  `;
}
