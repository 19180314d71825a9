import { html, type View } from '../common/html.ts';
import { Picture } from '../common/picture.ts';
import { bytesText, percentText } from '../language/format.ts';
import { messages } from '../language/language.ts';
import { readQuery } from '../query/query.ts';
import { QueryLink } from '../query/query-link.ts';
import { retryItem } from './queue.ts';
import { canRetry, type QueueItem } from './queue-item.ts';

/** Shows an item of the queue: its state, and its files or why it failed. */
export function QueueRow({ item }: { item: QueueItem }): View {
  const { id, title, thumbnailUrl, state, progress, source, error } = item;
  const { collection } = messages();
  const { queue: texts } = collection;
  const facts = [
    collection.kinds[item.wanted],
    state === 'running' ? percentText(progress / 100) : texts.states[state],
    ...(state === 'done' ? sizeOf(item) : []),
  ];
  return html`
    <li data-state=${state}>
      <${Picture} src=${thumbnailUrl} shape="wide" />
      <div>
        <p class="queue-name" dir="auto"><${QueryLink} to=${readQuery(source)?.text}>${title}<//></p>
        <p class="soft small">${facts.join(' · ')}</p>
        ${state === 'running' ? html`<progress max="100" value=${progress} aria-label=${texts.progressOf(title)}></progress>` : null}
        ${state === 'failed' && error !== undefined ? html`<p class="why small">${error}</p>` : null}
      </div>
      <div class="actions">
        ${state === 'done' ? html`<${Files} item=${item} />` : null}
        ${
          canRetry(item)
            ? html`<button type="button" class="plain" aria-label=${texts.retry(title)} onClick=${() => retryItem(id)}>${texts.tryAgain}</button>`
            : null
        }
      </div>
    </li>
  `;
}

/** Links to the files of an item, for a visitor who needs them again. */
function Files({ item: { files, title } }: { item: QueueItem }): View {
  const { queue: texts } = messages().collection;
  const [only, another] = files;
  if (only === undefined) return null;
  if (another === undefined) {
    return html`<a href=${only.url} download aria-label=${texts.downloadTitle(title)}>${texts.download}</a>`;
  }
  return html`${files.map(
    ({ url }, index) => html`<a href=${url} download aria-label=${texts.file(index + 1)}>${index + 1}</a>`,
  )}`;
}

function sizeOf({ files }: QueueItem): readonly string[] {
  const bytes = files.reduce((sum, { size = Number.NaN }) => sum + size, 0);
  return Number.isNaN(bytes) ? [] : [bytesText(bytes)];
}
