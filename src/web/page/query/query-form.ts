import { useEffect, useRef, useState } from 'preact/hooks';
import type { RecognisedLink } from '#client/index.ts';
import { html, type View } from '../common/html.ts';
import { describeLink, platformNames } from '../common/platform-names.ts';
import { useStore } from '../common/store.ts';
import { interpretationsOf } from './query.ts';
import { currentQuery, navigate } from './router.ts';

/** Takes a link, an id or words, and shows at once how they are interpreted. */
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
      <label for="paste">A link, an id, or words to search for</label>
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

/** Lets the visitor select the platform of an id that several platforms could have. */
function Interpretations({ links, selected, onSelect }: InterpretationsProps): View {
  return html`
    <fieldset class="choice">
      <legend class="unseen">What it is</legend>
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
  if (selected === undefined) return 'This is no link of a platform that Millrace knows.';
  if (selected.endpoint === 'search') return 'No link: these words will be searched for on YouTube.';
  return describeLink(selected);
}

function textIn({ currentTarget }: Event): string {
  return (currentTarget as HTMLInputElement).value;
}
