import { useEffect, useState } from 'preact/hooks';
import { focusOn } from '../common/announcer.ts';
import { bytesText, timeText } from '../common/format-text.ts';
import { html, type View } from '../common/html.ts';
import { platformNames } from '../common/platform-names.ts';
import { Player } from '../common/player.ts';
import { estimate } from './estimate.ts';
import { cancelRender, isUnderWay, type Render, removeRender, restartRender } from './renders.ts';
import { statusText } from './status-text.ts';

/** Shows a render: its progress, its file, or why it failed. */
export function RenderCard({ render }: { render: Render }): View {
  const { id, title, label, platform, status } = render;
  const remove = () => {
    removeRender(id);
    // The button disappears together with its card.
    focusOn('files-title', 'paste');
  };
  return html`
    <li class="file" data-status=${status}>
      <h3 id=${cardId(id)} tabindex="-1">${title}</h3>
      <p class="soft">${[label, platformNames[platform]].join(' · ')}</p>
      ${isUnderWay(render) ? html`<${Progress} render=${render} />` : null}
      ${status === 'done' ? html`<${FinishedDetails} render=${render} />` : null}
      ${status === 'failed' || status === 'lost' ? html`<${FailedDetails} render=${render} />` : null}
      <button type="button" class="remove" onClick=${remove} aria-label=${`Remove ${title} from the list`} title="Remove">
        <svg class="mark" viewBox="0 0 16 16" aria-hidden="true"><path d="M3 3l10 10M13 3L3 13" /></svg>
      </button>
    </li>
  `;
}

/** Returns the ID of a card's heading, which gets the focus. */
export function cardId(id: string): string {
  return `file-${id}`;
}

function Progress({ render }: { render: Render }): View {
  const { id, progress, samples, bytes, title, reconnecting, cancelling, error } = render;
  const { secondsLeft, bytesPerSecond } = estimate(samples, bytes);
  const speedTexts = [
    ...(bytesPerSecond === undefined ? [] : [`about ${bytesText(bytesPerSecond)}/s`]),
    ...(secondsLeft === undefined ? [] : [`about ${timeText(secondsLeft)} left`]),
  ];
  return html`
    <progress max="100" value=${progress} aria-label=${`Progress of ${title}`}></progress>
    <p class="pace">
      <span>${reconnecting ? 'Reconnecting…' : statusText(render)}</span>
      <span>${progress} %</span>
      <span class="soft">${reconnecting ? '' : speedTexts.join(' · ')}</span>
    </p>
    ${
      reconnecting
        ? html`<p class="soft" role="status">The connection was lost. The render continues, and this page will reconnect.</p>`
        : null
    }
    ${error === undefined ? null : html`<p class="failure" role="alert">${error}</p>`}
    <p class="actions">
      <button type="button" class="quiet" onClick=${(event: MouseEvent) => void cancelFrom(id, event.currentTarget)}>
        ${cancelling ? 'Cancelling…' : 'Cancel'} <span class="unseen">${title}</span>
      </button>
    </p>
  `;
}

/** Cancels a render. Its button then disappears, so a focus on the button moves to the card. */
async function cancelFrom(id: string, button: EventTarget | null): Promise<void> {
  if (!(await cancelRender(id))) return;
  const { activeElement, body } = document;
  if (activeElement === button || activeElement === body) focusOn(cardId(id));
}

function FinishedDetails({ render: { id, kind, title, output, expiresAt, notes = [] } }: { render: Render }): View {
  if (output === undefined) return null;
  return html`
    <p class="actions">
      <a class="button" href=${output.url} download>Download <span class="unseen">${title}</span></a>
      <${Player} key=${id} kind=${kind} url=${output.url} title=${title} />
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
  const secondsLeft = (Date.parse(at) - now) / 1_000;
  const clock = new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return html`<time datetime=${at}>Available for ${timeText(Math.max(0, secondsLeft))} (until ${clock})</time>`;
}

const restartTexts = { same: 'Starting…', fresh: 'Requesting a new link…' } as const;

/** Starts a render again. Its button then disappears, so a focus on the button moves to the card. */
async function restartFrom(id: string, button: EventTarget | null): Promise<void> {
  const startedId = await restartRender(id);
  if (startedId === undefined) return;
  const { activeElement, body } = document;
  if (activeElement === button || activeElement === body) focusOn(cardId(startedId));
}

function FailedDetails({ render }: { render: Render }): View {
  const { id, title, error, source, cancelled = false, retryable = true, restarting } = render;
  const label = cancelled ? 'Start again' : 'Try again';
  return html`
    ${
      cancelled
        ? html`<p class="soft">Cancelled. No files were kept.</p>`
        : html`<p class="failure" role="alert"><strong>${statusText(render)}.</strong> ${error}</p>`
    }
    <p class="actions">
      ${
        cancelled || retryable
          ? html`<button
              type="button" aria-busy=${restarting !== undefined}
              onClick=${(event: MouseEvent) => void restartFrom(id, event.currentTarget)}
            >
              ${restarting === undefined ? label : restartTexts[restarting]}
              <span class="unseen"> ${title}</span>
            </button>`
          : null
      }
      <a href=${source}>Render again</a>
    </p>
  `;
}
