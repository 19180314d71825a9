import { useEffect, useState } from 'preact/hooks';
import { focusOn } from '../common/announcer.ts';
import { html, type View } from '../common/html.ts';
import { Icon } from '../common/icon.ts';
import { platformNames } from '../common/platform-names.ts';
import { useStore } from '../common/store.ts';
import { bytesText, clockText, percentText, timeText } from '../language/format.ts';
import { isolate } from '../language/isolate.ts';
import { messages } from '../language/language.ts';
import { FailureDetails } from '../problems/error-details.ts';
import { describeFailure } from '../problems/error-text.ts';
import { savedFiles } from './auto-save.ts';
import { estimate } from './estimate.ts';
import { cancelRender, isUnderWay, type Notice, type Render, removeRender, restartRender } from './renders.ts';
import { labelText, statusText } from './status-text.ts';

/** Shows a render: its progress, its file, or why it failed. */
export function RenderCard({ render }: { render: Render }): View {
  const { id, title, platform, status, output } = render;
  const { files: texts } = messages();
  const remove = () => {
    removeRender(id);
    // The button disappears together with its card.
    focusOn('files-title', 'paste');
  };
  const facts = [
    isolate(labelText(render)),
    ...(output === undefined ? [] : [bytesText(output.size)]),
    platformNames[platform],
  ];
  return html`
    <li class="file" data-status=${status}>
      <h3 id=${cardId(id)} tabindex="-1" dir="auto">${title}</h3>
      <p class="soft small">${facts.join(' · ')}</p>
      ${isUnderWay(render) ? html`<${Progress} render=${render} />` : null}
      ${status === 'done' ? html`<${FinishedDetails} render=${render} />` : null}
      ${status === 'failed' || status === 'lost' ? html`<${FailedDetails} render=${render} />` : null}
      <button type="button" class="plain icon-button remove" onClick=${remove} aria-label=${texts.remove(title)} title=${texts.removeShort}>
        <${Icon} name="close" />
      </button>
    </li>
  `;
}

/** Returns the ID of a card's heading, which gets the focus. */
export function cardId(id: string): string {
  return `file-${id}`;
}

function Progress({ render }: { render: Render }): View {
  const { id, progress, samples, bytes, title, reconnecting, cancelling, notice } = render;
  const { files: texts } = messages();
  const { secondsLeft, bytesPerSecond } = estimate(samples, bytes);
  const speedTexts = [
    ...(bytesPerSecond === undefined ? [] : [texts.speed(bytesText(bytesPerSecond))]),
    ...(secondsLeft === undefined ? [] : [texts.timeLeft(timeText(secondsLeft))]),
  ];
  return html`
    <progress max="100" value=${progress} aria-label=${texts.progressOf(title)}></progress>
    <p class="pace small">
      <span>${reconnecting ? texts.reconnecting : statusText(render)}</span>
      <span>${percentText(progress / 100)}</span>
      <span class="soft">${reconnecting ? '' : speedTexts.join(' · ')}</span>
    </p>
    ${reconnecting ? html`<p class="soft small" role="status">${texts.connectionLost}</p>` : null}
    ${notice === undefined ? null : html`<${FailureText} ...${notice} />`}
    <p class="actions">
      <button type="button" onClick=${(event: MouseEvent) => void cancelFrom(id, event.currentTarget)}>
        ${cancelling ? texts.cancelling : texts.cancel} <span class="unseen">${title}</span>
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

function FinishedDetails({ render: { id, title, output, expiresAt, notes = [] } }: { render: Render }): View {
  const saved = useStore(savedFiles).has(id);
  const { files: texts } = messages();
  if (output === undefined) return null;
  return html`
    ${saved ? html`<p class="saved"><${Icon} name="check" /> ${texts.saved}</p>` : null}
    <p class="actions">
      <a class="button" href=${output.url} download>
        <${Icon} name="download" /> ${saved ? texts.saveAgain : texts.download} <span class="unseen">${title}</span>
      </a>
    </p>
    <p class="soft small"><${Expiry} at=${expiresAt} /></p>
    ${notes.map((note) => html`<p class="soft small">${note}</p>`)}
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
  return html`<time datetime=${at}>${messages().files.available(timeText(Math.max(0, secondsLeft)), clockText(new Date(at)))}</time>`;
}

/** Starts a render again. Its button then disappears, so a focus on the button moves to the card. */
async function restartFrom(id: string, button: EventTarget | null): Promise<void> {
  const startedId = await restartRender(id);
  if (startedId === undefined) return;
  const { activeElement, body } = document;
  if (activeElement === button || activeElement === body) focusOn(cardId(startedId));
}

function FailedDetails({ render }: { render: Render }): View {
  const {
    id,
    title,
    source,
    status,
    error,
    errorCode,
    notice,
    cancelled = false,
    retryable = true,
    restarting,
  } = render;
  const { files: texts } = messages();
  const label = cancelled ? texts.startAgain : texts.tryAgain;
  const failure = describeFailure(errorCode);
  const lost = { title: statusText(render), text: error };
  return html`
    ${cancelled ? html`<p class="soft small">${texts.cancelled}</p>` : null}
    ${notice === undefined && !cancelled ? html`<${FailureText} ...${status === 'lost' ? lost : failure} />` : null}
    ${notice === undefined ? null : html`<${FailureText} ...${notice} />`}
    ${status === 'failed' && !cancelled ? html`<${FailureDetails} message=${error} code=${errorCode} />` : null}
    <p class="actions">
      ${
        cancelled || retryable
          ? html`<button
              type="button" aria-busy=${restarting !== undefined}
              onClick=${(event: MouseEvent) => void restartFrom(id, event.currentTarget)}
            >
              ${restarting === undefined ? label : texts.restarting[restarting]}
              <span class="unseen"> ${title}</span>
            </button>`
          : null
      }
      <a class="button plain" href=${source}>${texts.renderAgain}</a>
    </p>
  `;
}

function FailureText({ title, text, advice }: Notice & { readonly advice?: string }): View {
  return html`<p class="failure small" role="alert"><strong>${title}</strong> ${text} ${advice}</p>`;
}
