import { useEffect } from 'preact/hooks';
import { Announcer } from './announcer.ts';
import { AnswerView } from './answer-view.ts';
import { ClosedView, InsecureView } from './closed-view.ts';
import { FilesView } from './files-view.ts';
import { HealthStrip } from './health.ts';
import { html, type View } from './html.ts';
import { titleOf } from './media-facts.ts';
import { PasteForm } from './paste-form.ts';
import { go, here } from './router.ts';
import { useStore } from './store.ts';
import { ThemeSwitch } from './theme.ts';
import { useAnswer } from './use-answer.ts';

/** The whole page. */
export function App({ open }: { open: boolean }): View {
  const home = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(undefined);
  };
  return html`
    <a class="skip" href="#main">Skip to the content</a>
    <header class="top">
      <h1><a href="./" onClick=${home}><${Mark} /> Millrace</a></h1>
      <p class="soft">From a link to a finished file.</p>
      <${ThemeSwitch} />
    </header>
    <${Stream} />
    <main id="main" tabindex="-1">
      ${open ? (isSecureContext ? html`<${Work} />` : html`<${InsecureView} />`) : html`<${ClosedView} />`}
    </main>
    <footer>
      <${HealthStrip} />
      <p class="soft small">
        For public media that you have the right to fetch. <a href="docs">API</a>
      </p>
    </footer>
    <${Announcer} />
  `;
}

/** The question, its answer, and the files. */
function Work(): View {
  const question = useStore(here);
  const asking = useAnswer(question);
  useEffect(() => {
    const known = asking.state === 'answered' && asking.answer.metadata.title !== undefined;
    const title = known ? titleOf(asking.answer) : question?.text;
    document.title = title === undefined ? 'Millrace' : `${title} · Millrace`;
  }, [asking, question]);
  // The same question, as a new one.
  const again = () => here.set(question === undefined ? undefined : { ...question });
  return html`
    <${PasteForm} />
    <div class="columns">
      <div class="answer">
        <${AnswerView} asking=${asking} onRetry=${again} />
      </div>
      <${FilesView} />
    </div>
  `;
}

/** The water that runs below the head of the page. */
function Stream(): View {
  return html`
    <svg class="race" aria-hidden="true" width="100%" height="14">
      <pattern id="wave" width="48" height="14" patternUnits="userSpaceOnUse">
        <path d="M-12 7q12 -9 24 0t24 0t24 0" />
      </pattern>
      <rect width="100%" height="14" fill="url(#wave)" />
    </svg>
  `;
}

/** A wheel in a stream. */
function Mark(): View {
  return html`
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="13" r="8.5" />
      <path d="M16 2v22M5 13h22M8.2 5.2l15.6 15.6M23.8 5.2L8.2 20.8" />
      <path class="stream" d="M1 25c3-2.4 5-2.4 7.5 0s4.5 2.4 7.5 0 4.5-2.4 7.5 0 4.5 2.4 7.5 0" />
    </svg>
  `;
}
