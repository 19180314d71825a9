import { html, type View } from '../common/html.ts';
import { useStore } from '../common/store.ts';
import { RenderCard } from './render-card.ts';
import { renders } from './renders.ts';

/** Shows the renders of this browser. */
export function RenderList(): View {
  const list = useStore(renders);
  if (list.length === 0) return null;
  return html`
    <section class="files" aria-labelledby="files-title">
      <h2 id="files-title" tabindex="-1">Your files</h2>
      <ul>${list.map((render) => html`<${RenderCard} key=${render.id} render=${render} />`)}</ul>
      <p class="soft small">This list is stored only in your browser. Files are deleted when they expire.</p>
    </section>
  `;
}
