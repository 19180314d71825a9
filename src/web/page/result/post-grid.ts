import { useState } from 'preact/hooks';
import type { ExtractionResponse } from '#client/index.ts';
import { announce } from '../common/announcer.ts';
import { ErrorView } from '../common/error-view.ts';
import { bytesText } from '../common/format-text.ts';
import { html, type View } from '../common/html.ts';
import { Picture } from '../common/picture.ts';
import type { Query } from '../query/query.ts';
import type { QueryResult } from '../query/query-result.ts';
import { titleOf } from './media-facts.ts';
import { MediaLink } from './media-link.ts';
import { type PostItem, postItemsOf } from './post-items.ts';
import { QualityList } from './quality-list.ts';
import { saveArchive } from './zip-archive.ts';

/** Shows the images and videos of a post, to be downloaded individually or several together. */
export function PostGrid({ query, result }: { query: Query; result: ExtractionResponse }): View {
  const items = postItemsOf(result.contents ?? []);
  const savable = items.filter(({ file }) => file !== undefined);
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const select = (position: number, checked: boolean) => {
    const next = new Set(selected);
    if (checked) next.add(position);
    else next.delete(position);
    setSelected(next);
  };
  const allSelected = selected.size === savable.length;
  const selectAll = () => setSelected(new Set(allSelected ? [] : savable.map(({ position }) => position)));
  return html`
    <section class="items" aria-label="Images and videos">
      ${
        savable.length > 1
          ? html`
              <div class="bar">
                <label>
                  <input
                    type="checkbox" checked=${allSelected} indeterminate=${selected.size > 0 && !allSelected}
                    onChange=${selectAll}
                  />
                  Select all ${savable.length}
                </label>
                <${SaveSelected} source=${{ query, result }} items=${savable.filter(({ position }) => selected.has(position))} title=${titleOf(result)} />
              </div>
            `
          : null
      }
      <ul class="grid">
        ${items.map(
          (item) => html`
          <${Cell}
            key=${item.position} item=${item} alone=${savable.length < 2} selected=${selected.has(item.position)}
            onSelect=${(checked: boolean) => select(item.position, checked)} query=${query} result=${result}
          />
        `,
        )}
      </ul>
    </section>
  `;
}

interface CellProps {
  readonly item: PostItem;
  readonly alone: boolean;
  readonly selected: boolean;
  readonly onSelect: (checked: boolean) => void;
  readonly query: Query;
  readonly result: ExtractionResponse;
}

function Cell({ item, alone, selected, onSelect, query, result }: CellProps): View {
  const { content, kind, position, previewUrl, file } = item;
  const name = `${kind === 'video' ? 'Video' : 'Image'} ${position}`;
  const facts = [
    ...(file === undefined ? [] : [file.label]),
    ...(file?.metadata.content_length === undefined ? [] : [bytesText(file.metadata.content_length)]),
  ];
  const picture = html`<${Picture} src=${previewUrl} shape="square" />`;
  return html`
    <li>
      ${
        alone || file === undefined
          ? picture
          : html`
              <label class="pick">
                <input type="checkbox" checked=${selected} onChange=${() => onSelect(!selected)} aria-label=${`Select ${name}`} />
                ${picture}
              </label>
            `
      }
      <p><strong>${name}</strong> <span class="soft">${facts.join(' · ')}</span></p>
      ${file === undefined ? null : html`<${MediaLink} query=${query} result=${result} item=${file}>Download<span class="unseen"> ${name}</span><//>`}
      ${
        kind === 'video'
          ? html`
              <details>
                <summary>Qualities<span class="unseen"> of ${name}</span></summary>
                <${QualityList} query=${query} result=${result} content=${content} contentName=${name} />
              </details>
            `
          : null
      }
    </li>
  `;
}

interface SaveProps {
  readonly source: QueryResult;
  readonly items: readonly PostItem[];
  readonly title: string;
}

function SaveSelected({ source, items, title }: SaveProps): View {
  const [state, setState] = useState('');
  const [error, setError] = useState<unknown>();
  const save = async () => {
    if (state !== '') return;
    setError(undefined);
    try {
      await saveArchive(source, items, title, ({ index, total }) => setState(`Downloading ${index + 1} of ${total}…`));
      announce(`Saved ${items.length} files in one archive.`);
    } catch (failure) {
      setError(failure);
    } finally {
      setState('');
    }
  };
  return html`
    <button type="button" onClick=${() => void save()} disabled=${items.length === 0} aria-busy=${state !== ''}>
      ${state || (items.length === 0 ? 'Download as ZIP' : `Download ${items.length} as ZIP`)}
    </button>
    ${error === undefined ? null : html`<${ErrorView} error=${error} onRetry=${() => void save()} />`}
  `;
}
