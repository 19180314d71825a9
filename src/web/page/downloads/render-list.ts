import { html, type View } from '../common/html.ts';
import { useStore } from '../common/store.ts';
import { messages } from '../language/language.ts';
import { savesByItself, setSavesByItself } from './auto-save.ts';
import { RenderCard } from './render-card.ts';
import { renders } from './renders.ts';

/** Shows the renders of this browser. */
export function RenderList(): View {
  const list = useStore(renders);
  const automatic = useStore(savesByItself);
  const { files: texts } = messages();
  if (list.length === 0) return null;
  return html`
    <section class="files panel" aria-labelledby="files-title">
      <h2 id="files-title" tabindex="-1">${texts.title}</h2>
      <ul>${list.map((render) => html`<${RenderCard} key=${render.id} render=${render} />`)}</ul>
      <label class="switch small">
        <input type="checkbox" checked=${automatic} onChange=${() => setSavesByItself(!automatic)} />
        ${texts.saveByItself}
      </label>
      <p class="soft small">${texts.stored}</p>
    </section>
  `;
}
