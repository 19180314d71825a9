import { useEffect, useRef, useState } from 'preact/hooks';
import type { RecognisedLink } from '#client/index.ts';
import { html, type View } from './html.ts';
import { describeLink, platformNames } from './names.ts';
import { meaningsOf } from './question.ts';
import { go, here } from './router.ts';
import { useStore } from './store.ts';

/** Takes a link, an id or words, and says at once what they are taken for. */
export function PasteForm(): View {
  const question = useStore(here);
  const [text, setText] = useState(question?.text ?? '');
  const [chosen, setChosen] = useState(question?.link.platform);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    setText(question?.text ?? '');
    setChosen(question?.link.platform);
    if (question === undefined) field.current?.focus();
  }, [question]);

  const meanings = meaningsOf(text);
  const meant = meanings.find(({ platform }) => platform === chosen) ?? meanings[0];
  const submit = (event: Event) => {
    event.preventDefault();
    if (meant === undefined) field.current?.focus();
    else go({ text: text.trim(), link: meant });
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
        <button type="submit">${meant?.endpoint === 'search' ? 'Search' : 'Show'}</button>
      </div>
      <p id="meaning" class="meaning" aria-live="polite">${hint(text, meant)}</p>
      ${meanings.length > 1 ? html`<${Meanings} meanings=${meanings} meant=${meant} onChoose=${setChosen} />` : null}
    </form>
  `;
}

interface MeaningsProps {
  readonly meanings: readonly RecognisedLink[];
  readonly meant: RecognisedLink | undefined;
  readonly onChoose: (platform: RecognisedLink['platform']) => void;
}

/** Ids of several platforms look the same: the visitor says which is meant. */
function Meanings({ meanings, meant, onChoose }: MeaningsProps): View {
  return html`
    <fieldset class="choice">
      <legend class="unseen">What it is</legend>
      ${meanings.map(
        (link) => html`
          <label key=${link.platform}>
            <input type="radio" name="meaning" checked=${link === meant} onChange=${() => onChoose(link.platform)} />
            <span>${describeLink(link)}</span>
          </label>
        `,
      )}
    </fieldset>
  `;
}

function hint(text: string, meant: RecognisedLink | undefined): string {
  if (text.trim() === '') return `${Object.values(platformNames).join(', ')}.`;
  if (meant === undefined) return 'This is no link of a platform that Millrace knows.';
  if (meant.endpoint === 'search') return 'No link: these words will be searched for on YouTube.';
  return describeLink(meant);
}

function textIn({ currentTarget }: Event): string {
  return (currentTarget as HTMLInputElement).value;
}
