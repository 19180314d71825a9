import { useEffect, useRef, useState } from 'preact/hooks';
import type { RecognisedLink } from '#client/index.ts';
import { describeLink } from '#client/link-text.ts';
import { html, type View } from '../common/html.ts';
import { platformNames } from '../common/platform-names.ts';
import { useStore } from '../common/store.ts';
import { interpretationsOf } from './query.ts';
import { currentQuery, navigate } from './router.ts';

/** Accepts a link, an ID or words, and immediately shows how they are interpreted. */
export function QueryForm(): View {
  const query = useStore(currentQuery);
  const [text, setText] = useState(query?.text ?? '');
  const [platform, setPlatform] = useState(query?.link.platform);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    setText(query?.text ?? '');
    setPlatform(query?.link.platform);
    if (query === undefined) field.current?.focus();
  }, [query]);

  const links = interpretationsOf(text);
  const selected = links.find((link) => link.platform === platform) ?? links[0];
  const submit = (event: Event) => {
    event.preventDefault();
    if (selected === undefined) field.current?.focus();
    else navigate({ text: text.trim(), link: selected });
  };
  return html`
    <form class="paste" role="search" onSubmit=${submit}>
      <label for="paste">Paste a link or an ID, or enter words to search for</label>
      <div class="field">
        <input
          id="paste" ref=${field} type="text" value=${text} onInput=${(event: Event) => setText(textIn(event))}
          placeholder="https://…" autocomplete="off" autocapitalize="off" spellcheck=${false} enterkeyhint="go"
          aria-describedby="meaning"
        />
        <button type="submit">${selected?.endpoint === 'search' ? 'Search' : 'Show'}</button>
      </div>
      <p id="meaning" class="meaning" aria-live="polite">${hint(text, selected)}</p>
      ${links.length > 1 ? html`<${Interpretations} links=${links} selected=${selected} onSelect=${setPlatform} />` : null}
    </form>
  `;
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
      <legend class="unseen">Content type</legend>
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
  if (text.trim() === '') return `${Object.values(platformNames).join(', ')}.`;
  if (selected === undefined) return 'This is not a link to a supported platform.';
  if (selected.endpoint === 'search') return 'Not a link. These words will be searched for on YouTube.';
  return describeLink(selected);
}

function textIn({ currentTarget }: Event): string {
  return (currentTarget as HTMLInputElement).value;
}
