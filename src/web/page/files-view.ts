import { FileCard } from './file-card.ts';
import { files } from './files.ts';
import { html, type View } from './html.ts';
import { useStore } from './store.ts';

/** The renders of this browser. */
export function FilesView(): View {
  const list = useStore(files);
  if (list.length === 0) return null;
  return html`
    <section class="files" aria-labelledby="files-title">
      <h2 id="files-title" tabindex="-1">Your files</h2>
      <ul>${list.map((file) => html`<${FileCard} key=${file.id} file=${file} />`)}</ul>
      <p class="soft small">This list is kept in your browser alone. The files are deleted when their time is over.</p>
    </section>
  `;
}
