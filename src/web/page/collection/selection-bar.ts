import { useState } from 'preact/hooks';
import { html, type View } from '../common/html.ts';
import { Icon } from '../common/icon.ts';
import { messages } from '../language/language.ts';
import type { Entry } from './entry.ts';
import { addToQueue } from './queue-slot.ts';
import type { Selection } from './selection.ts';
import {
  oneOf,
  readSaveMode,
  readWantedKind,
  rememberSaveMode,
  rememberWantedKind,
  saveModes,
  wantedKinds,
} from './wanted-kind.ts';

interface SelectionBarProps {
  /** Title of the list. */
  readonly name: string;
  /** The loaded entries. */
  readonly entries: readonly Entry[];
  readonly selection: Selection;
  /** Whether the list has more entries than those that are loaded. */
  readonly hasMore?: boolean;
  /** Whether the list has no meaningful end, so that nobody wants all of it. */
  readonly endless?: boolean;
  /** Number of entries of the whole list, if known. */
  readonly total?: number | undefined;
  /** Loads the rest of the list, and returns all its entries; undefined if that failed. */
  readonly onLoadAll?: () => Promise<readonly Entry[] | undefined>;
}

/** Selects all entries of a list, and downloads the selected ones. Without a selection, it downloads the whole list. */
export function SelectionBar(props: SelectionBarProps): View {
  const { name, entries, selection, hasMore = false, endless = false, total, onLoadAll } = props;
  const [kind, setKind] = useState(readWantedKind);
  const [mode, setMode] = useState(readSaveMode);
  const [loading, setLoading] = useState(false);
  const { collection: texts } = messages();
  const selected = entries.filter(({ source }) => selection.keys.has(source));
  const allShown = selected.length === entries.length;

  const loadAll = async () => {
    if (!hasMore || onLoadAll === undefined) return entries;
    setLoading(true);
    return onLoadAll().finally(() => setLoading(false));
  };
  const selectWhole = async () => {
    const all = await loadAll();
    if (all !== undefined) selection.replace(all.map(({ source }) => source));
  };
  const download = async () => {
    if (loading) return;
    const wanted = selected.length > 0 ? selected : await loadAll();
    if (wanted === undefined || wanted.length === 0) return;
    await addToQueue(wanted, kind, mode, name);
    selection.replace([]);
  };
  const chooseKind = (value: string) => {
    const next = oneOf(wantedKinds, value) ?? 'best';
    setKind(next);
    rememberWantedKind(next);
  };
  const chooseMode = (value: string) => {
    const next = oneOf(saveModes, value) ?? 'files';
    setMode(next);
    rememberSaveMode(next);
  };
  const canDownload = selected.length > 0 || !endless;
  return html`
    <div class="selection-bar" data-selecting=${selected.length > 0}>
      <div class="selection">
        <label>
          <input
            type="checkbox" checked=${allShown} indeterminate=${selected.length > 0 && !allShown}
            onChange=${() => selection.replace(allShown ? [] : entries.map(({ source }) => source))}
          />
          ${hasMore ? texts.selectShown(entries.length) : texts.selectLoaded(entries.length)}
        </label>
        ${
          hasMore && !endless
            ? html`<button type="button" class="plain" onClick=${() => void selectWhole()} aria-busy=${loading}>
                ${total === undefined ? texts.selectEverything : texts.selectAll(total)}
              </button>`
            : null
        }
      </div>
      ${
        canDownload
          ? html`
              <div class="getting">
                <${Select} label=${texts.kindLabel} options=${texts.kinds} value=${kind} onChoose=${chooseKind} />
                <${Select} label=${texts.saveLabel} options=${texts.saveModes} value=${mode} onChoose=${chooseMode} />
                <button type="button" class="primary" onClick=${() => void download()} aria-busy=${loading}>
                  <${Icon} name="download" />
                  ${loading ? texts.loadingAll(entries.length) : buttonText(selected, entries, hasMore)}
                </button>
              </div>
            `
          : html`<p class="soft small">${texts.hint}</p>`
      }
    </div>
  `;
}

function buttonText(selected: readonly Entry[], entries: readonly Entry[], hasMore: boolean): string {
  const { collection: texts } = messages();
  const onlyVideos = (list: readonly Entry[]) => list.every(({ isVideo }) => isVideo);
  if (selected.length > 0) {
    return onlyVideos(selected) ? texts.downloadVideos(selected.length) : texts.downloadItems(selected.length);
  }
  if (hasMore) return texts.downloadAll;
  return onlyVideos(entries) ? texts.downloadAllVideos(entries.length) : texts.downloadAllItems(entries.length);
}

interface SelectProps {
  readonly label: string;
  readonly options: Readonly<Record<string, string>>;
  readonly value: string;
  readonly onChoose: (value: string) => void;
}

function Select({ label, options, value, onChoose }: SelectProps): View {
  const choose = ({ currentTarget }: Event) => onChoose((currentTarget as HTMLSelectElement).value);
  return html`
    <label>
      <span class="unseen">${label}</span>
      <select value=${value} onChange=${choose}>
        ${Object.entries(options).map(
          ([key, name]) => html`<option value=${key} selected=${key === value}>${name}</option>`,
        )}
      </select>
    </label>
  `;
}
