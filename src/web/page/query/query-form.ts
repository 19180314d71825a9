import { useEffect, useRef, useState } from 'preact/hooks';
import type { RecognisedLink } from '#client/index.ts';
import { html, type View } from '../common/html.ts';
import { Icon } from '../common/icon.ts';
import { platformNames } from '../common/platform-names.ts';
import { useStore } from '../common/store.ts';
import { listText } from '../language/format.ts';
import { messages } from '../language/language.ts';
import { describeLink } from './describe-link.ts';
import { openText } from './open-text.ts';
import { interpretationsOf, queryOf, unknownHostIn } from './query.ts';
import { currentQuery, navigate, navigateToUnknown, unknownLink } from './router.ts';

/** Accepts a link, an ID or words. A pasted link is looked up at once. */
export function QueryForm(): View {
  const query = useStore(currentQuery);
  const unknown = useStore(unknownLink);
  const [text, setText] = useState(query?.text ?? unknown ?? '');
  const [platform, setPlatform] = useState(query?.link.platform);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    setText(query?.text ?? unknown ?? '');
    setPlatform(query?.link.platform);
    if (query === undefined && !isTouchScreen()) field.current?.focus();
  }, [query, unknown]);
  const links = interpretationsOf(text);
  const selected = links.find((link) => link.platform === platform) ?? links[0];
  const { query: texts } = messages();
  const submit = (event: Event) => {
    event.preventDefault();
    const query = queryOf(text, selected?.platform);
    if (unknownHostIn(text) !== undefined) navigateToUnknown(text.trim());
    else if (query === undefined) field.current?.focus();
    else navigate(query);
  };
  const input = (event: InputEvent) => {
    const { value } = event.currentTarget as HTMLInputElement;
    setText(value);
    setPlatform(undefined);
    const pasted = event.inputType === 'insertFromPaste' || event.inputType === 'insertFromDrop';
    if (pasted) openText(value);
  };
  // The field has one line, so the browser would join the links of several lines.
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData?.getData('text/plain') ?? '';
    if (/[\r\n]/.test(pasted.trim()) && openText(pasted)) event.preventDefault();
  };
  return html`
    <form class="query" role="search" onSubmit=${submit}>
      <label for="paste" class="unseen">${texts.label}</label>
      <div class="field">
        <${Icon} name="link" />
        <input
          id="paste" ref=${field} type="text" value=${text} onInput=${input} onPaste=${paste} placeholder=${texts.placeholder}
          autocomplete="off" autocapitalize="off" spellcheck=${false} enterkeyhint="go" aria-describedby="meaning"
        />
        ${
          text === ''
            ? html`<${PasteButton} onText=${setText} />`
            : html`<${ClearButton} onClear=${() => {
                setText('');
                field.current?.focus();
              }} />`
        }
        <button type="submit" class="go icon-button" aria-label=${selected?.endpoint === 'search' ? texts.search : texts.show}>
          <${Icon} name=${selected?.endpoint === 'search' ? 'search' : 'arrow'} />
        </button>
      </div>
      <p id="meaning" class="meaning" aria-live="polite">${text === (query?.text ?? unknown) ? '' : hint(text, selected)}</p>
      ${links.length > 1 ? html`<${Interpretations} links=${links} selected=${selected} onSelect=${setPlatform} />` : null}
    </form>
  `;
}

/** Pastes from the clipboard, for which the browser may ask the visitor. */
function PasteButton({ onText }: { onText: (text: string) => void }): View {
  const [refused, setRefused] = useState(false);
  // Only over HTTPS, and not in every browser (https://w3c.github.io/clipboard-apis/).
  if (refused || typeof navigator.clipboard?.readText !== 'function') return null;
  const paste = async () => {
    try {
      const text = await navigator.clipboard.readText();
      onText(text);
      openText(text);
    } catch (error) {
      // The visitor or the browser does not allow it: pasting by keyboard or menu still works.
      if (!(error instanceof DOMException)) throw error;
      setRefused(true);
    }
  };
  return html`<button type="button" class="paste-button" onClick=${() => void paste()}>
    <${Icon} name="paste" /> ${messages().query.paste}
  </button>`;
}

function ClearButton({ onClear }: { onClear: () => void }): View {
  return html`<button type="button" class="plain icon-button clear" aria-label=${messages().query.clear} onClick=${onClear}>
    <${Icon} name="close" />
  </button>`;
}

interface InterpretationsProps {
  readonly links: readonly RecognisedLink[];
  readonly selected: RecognisedLink | undefined;
  readonly onSelect: (platform: RecognisedLink['platform']) => void;
}

/** Lets the visitor select the platform of an ID that several platforms could have. */
function Interpretations({ links, selected, onSelect }: InterpretationsProps): View {
  return html`
    <fieldset class="choice">
      <legend class="unseen">${messages().query.interpretations}</legend>
      ${links.map(
        (link) => html`
          <label key=${link.platform}>
            <input type="radio" name="meaning" checked=${link === selected} onChange=${() => onSelect(link.platform)} />
            <span>${describeLink(link)}</span>
          </label>
        `,
      )}
    </fieldset>
  `;
}

function hint(text: string, selected: RecognisedLink | undefined): string {
  const { query: texts } = messages();
  if (text.trim() === '') return '';
  const links = queryOf(text)?.links;
  if (links !== undefined) return messages().list.links(links.length);
  if (selected === undefined) return texts.unknownLink(listText(Object.values(platformNames)));
  return selected.endpoint === 'search' ? texts.searchHint : describeLink(selected);
}

/** Whether the field's focus would open a keyboard over the page. */
function isTouchScreen(): boolean {
  return matchMedia('(pointer: coarse)').matches;
}
