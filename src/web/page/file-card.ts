import { useEffect, useState } from 'preact/hooks';
import { focusOn } from './announcer.ts';
import { beginAgain, cancel, forget, isUnderWay, type ShownFile } from './files.ts';
import { bytesText, spanText } from './format.ts';
import { html, type View } from './html.ts';
import { platformNames } from './names.ts';
import { paceOf } from './pace.ts';
import { Preview } from './preview.ts';
import { stageText } from './stages.ts';

/** One of this browser's renders: how it goes, or its file. */
export function FileCard({ file }: { file: ShownFile }): View {
  const { id, title, label, platform, status } = file;
  const remove = () => {
    forget(id);
    // The button is gone with its card.
    focusOn('files-title', 'paste');
  };
  return html`
    <li class="file" data-status=${status}>
      <h3 id=${cardId(id)} tabindex="-1">${title}</h3>
      <p class="soft">${[label, platformNames[platform]].join(' · ')}</p>
      ${isUnderWay(file) ? html`<${Progress} file=${file} />` : null}
      ${status === 'done' ? html`<${Finished} file=${file} />` : null}
      ${status === 'failed' || status === 'lost' ? html`<${Failed} file=${file} />` : null}
      <button type="button" class="remove" onClick=${remove} aria-label=${`Remove ${title} from the list`} title="Remove">
        <svg class="mark" viewBox="0 0 16 16" aria-hidden="true"><path d="M3 3l10 10M13 3L3 13" /></svg>
      </button>
    </li>
  `;
}

/** The id of a card's heading, which the focus is put on. */
export function cardId(id: string): string {
  return `file-${id}`;
}

function Progress({ file }: { file: ShownFile }): View {
  const { id, progress, samples, bytes, title, interrupted, ending, error } = file;
  const { left, speed } = paceOf(samples, bytes);
  const facts = [
    ...(speed === undefined ? [] : [`about ${bytesText(speed)}/s`]),
    ...(left === undefined ? [] : [`about ${spanText(left)} left`]),
  ];
  return html`
    <progress max="100" value=${progress} aria-label=${`Progress of ${title}`}></progress>
    <p class="pace">
      <span>${interrupted ? 'Looking for it again' : stageText(file)}</span>
      <span>${progress} %</span>
      <span class="soft">${interrupted ? '' : facts.join(' · ')}</span>
    </p>
    ${
      interrupted
        ? html`<p class="soft" role="status">The connection broke off. The render goes on; the page looks for it again.</p>`
        : null
    }
    ${error === undefined ? null : html`<p class="failure" role="alert">${error}</p>`}
    <p class="actions">
      <button type="button" class="quiet" onClick=${(event: MouseEvent) => void endFor(id, event.currentTarget)}>
        ${ending ? 'Cancelling…' : 'Cancel'} <span class="unseen">${title}</span>
      </button>
    </p>
  `;
}

/** Cancels a render. The button goes with it, so whoever is still there is led to the card. */
async function endFor(id: string, button: EventTarget | null): Promise<void> {
  if (!(await cancel(id))) return;
  const { activeElement, body } = document;
  if (activeElement === button || activeElement === body) focusOn(cardId(id));
}

function Finished({ file: { id, kind, title, output, expiresAt, notes = [] } }: { file: ShownFile }): View {
  if (output === undefined) return null;
  return html`
    <p class="actions">
      <a class="button" href=${output.url} download>Download <span class="unseen">${title}</span></a>
      <${Preview} key=${id} kind=${kind} url=${output.url} title=${title} />
    </p>
    <p class="soft">${bytesText(output.size)} · <${Expiry} at=${expiresAt} /></p>
    ${notes.map((note) => html`<p class="soft">${note}</p>`)}
  `;
}

const CLOCK_MS = 20_000;

function Expiry({ at = '' }: { at?: string }): View {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now), CLOCK_MS);
    return () => clearInterval(timer);
  }, []);
  const left = (Date.parse(at) - now) / 1_000;
  const clock = new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return html`<time datetime=${at}>there until ${clock}, for ${spanText(Math.max(0, left))}</time>`;
}

function Failed({ file }: { file: ShownFile }): View {
  const { id, error, source, cancelled = false, retryable = true } = file;
  return html`
    ${
      cancelled
        ? html`<p class="soft">Cancelled. Nothing is left of it.</p>`
        : html`<p class="failure" role="alert"><strong>${stageText(file)}.</strong> ${error}</p>`
    }
    <p class="actions">
      ${
        cancelled || retryable
          ? html`<button type="button" onClick=${() => void beginAgain(id)}>${cancelled ? 'Start again' : 'Try again'}</button>`
          : null
      }
      <a href=${source}>Ask for it anew</a>
    </p>
  `;
}
