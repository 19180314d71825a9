import { useState } from 'preact/hooks';
import type { ExtractedContent, ExtractionResponse, MediaItem } from '#client/index.ts';
import { ChoicesView } from '../choices/choices-view.ts';
import { SelectBox } from '../collection/select-box.ts';
import { type Selection, useSelection } from '../collection/selection.ts';
import { ArchiveError, saveArchive } from '../collection/zip-archive.ts';
import { announce } from '../common/announcer.ts';
import { html, type View } from '../common/html.ts';
import { Icon } from '../common/icon.ts';
import { Picture } from '../common/picture.ts';
import { saveLink } from '../common/save-link.ts';
import { bytesText } from '../language/format.ts';
import { isolate } from '../language/isolate.ts';
import { messages } from '../language/language.ts';
import { ErrorView } from '../problems/error-view.ts';
import { freshMedia } from '../query/fresh-media.ts';
import { titleOf } from '../query/media-facts.ts';
import type { Query } from '../query/query.ts';
import type { QueryResult } from '../query/query-result.ts';
import { isLinkExpired } from '../query/same-media.ts';
import { MediaLink } from './media-link.ts';
import { fileName, type PostItem, postItemsOf } from './post-items.ts';

interface PostGridProps extends QueryResult {
  /** What the post consists of. */
  readonly contents: readonly ExtractedContent[];
}

/** Shows the images and videos of a post, to be downloaded individually or several together. */
export function PostGrid({ query, result, contents }: PostGridProps): View {
  const items = postItemsOf(contents);
  const savable = items.filter(({ file }) => file !== undefined);
  const keys = savable.map(({ position }) => String(position));
  const selection = useSelection(keys);
  const { list, collection } = messages();
  const selected = savable.filter(({ position }) => selection.keys.has(String(position)));
  const allSelected = selected.length === savable.length;
  return html`
    <section class="items" aria-label=${list.post.gridLabel}>
      ${
        savable.length > 1
          ? html`
              <div class="selection-bar" data-selecting=${selected.length > 0}>
                <div class="selection">
                  <label>
                    <input
                      type="checkbox" checked=${allSelected} indeterminate=${selected.length > 0 && !allSelected}
                      onChange=${() => selection.replace(allSelected ? [] : keys)}
                    />
                    ${collection.selectLoaded(savable.length)}
                  </label>
                </div>
                <div class="getting">
                  <${SaveSelected}
                    source=${{ query, result }} items=${selected.length === 0 ? savable : selected} title=${titleOf(result)}
                  />
                </div>
              </div>
            `
          : null
      }
      <ul class="grid squares">
        ${items.map(
          (item) => html`
          <${Cell} key=${item.position} item=${item} selection=${savable.length < 2 ? undefined : selection} query=${query} result=${result} />
        `,
        )}
      </ul>
    </section>
  `;
}

interface CellProps {
  readonly item: PostItem;
  /** Undefined if there is nothing to select. */
  readonly selection: Selection | undefined;
  readonly query: Query;
  readonly result: ExtractionResponse;
}

function Cell({ item, selection, query, result }: CellProps): View {
  const { post: texts } = messages().list;
  const { content, kind, position, previewUrl, file } = item;
  const name = nameOf(item);
  const key = String(position);
  const facts = [
    ...(file === undefined ? [] : [isolate(file.label.replace(/^(\d+)x(\d+)$/, '$1 × $2'))]),
    ...(file?.metadata.content_length === undefined ? [] : [bytesText(file.metadata.content_length)]),
  ];
  return html`
    <li class="card" data-selected=${selection?.keys.has(key) === true}>
      <div class="cover">
        <${Picture} src=${previewUrl} shape="square" />
        ${kind === 'video' ? html`<span class="corner"><${Icon} name="play" /></span>` : null}
      </div>
      <p class="name">${name}</p>
      <p class="soft small">${facts.join(' · ')}</p>
      ${
        file === undefined
          ? null
          : html`<p class="card-action">
              <${MediaLink} query=${query} result=${result} item=${file}><span class="unseen">${texts.downloadItem(name)}</span><span aria-hidden="true">${texts.download}</span><//>
            </p>`
      }
      ${
        kind === 'video'
          ? html`
              <details>
                <summary aria-label=${texts.qualities(name)}>${texts.qualitiesShort}</summary>
                <${ChoicesView} query=${query} result=${result} content=${content} options=${{}} name=${name} />
              </details>
            `
          : null
      }
      ${
        file === undefined || selection === undefined
          ? null
          : html`<${SelectBox} selection=${selection} value=${key} title=${name} />`
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
  const { post: texts } = messages().list;
  const [state, setState] = useState('');
  const [error, setError] = useState<unknown>();
  // A single file needs no archive.
  const single = items.length === 1 ? items[0]?.file : undefined;
  const save = async () => {
    if (state !== '') return;
    setError(undefined);
    try {
      if (single !== undefined) {
        saveLink((await currentFile(source, single)).url);
        return;
      }
      await saveArchive(archiveEntries(source, items), title, ({ index, total }) =>
        setState(texts.zipProgress(index + 1, total)),
      );
      announce(texts.zipSaved(items.length));
    } catch (failure) {
      setError(failure instanceof ArchiveError ? namedFailure(failure, items) : failure);
    } finally {
      setState('');
    }
  };
  return html`
    <button type="button" class="primary" onClick=${() => void save()} aria-busy=${state !== ''}>
      <${Icon} name="download" /> ${state || (single === undefined ? texts.zipCount(items.length) : texts.download)}
    </button>
    ${error === undefined ? null : html`<${ErrorView} error=${error} onRetry=${() => void save()} />`}
  `;
}

/** Returns the files as entries of an archive. Links that have expired are replaced. */
function archiveEntries(source: QueryResult, items: readonly PostItem[]) {
  return items.flatMap((item) => {
    const { file } = item;
    if (file === undefined) return [];
    return [{ name: fileName(item), open: () => currentFile(source, file) }];
  });
}

/** Returns a file with a link that works: a new one if its own has expired. */
async function currentFile(source: QueryResult, file: MediaItem): Promise<MediaItem> {
  return isLinkExpired(file) ? freshMedia(source, file) : file;
}

function namedFailure({ index, cause }: ArchiveError, items: readonly PostItem[]): Error {
  const item = items[index];
  const { zipFailed, gridLabel } = messages().list.post;
  return new Error(zipFailed(item === undefined ? gridLabel : nameOf(item)), { cause });
}

function nameOf({ kind, position }: PostItem): string {
  const { post: texts } = messages().list;
  return kind === 'video' ? texts.video(position) : texts.image(position);
}
