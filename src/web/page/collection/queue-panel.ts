import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { html, type View } from '../common/html.ts';
import { Icon } from '../common/icon.ts';
import { useStore } from '../common/store.ts';
import { savesByItself } from '../downloads/auto-save.ts';
import { clockText, timeText } from '../language/format.ts';
import { messages } from '../language/language.ts';
import { clearQueue, pauseQueue, type Queue, queue, resumeQueue, retryFailed, shareDone, stopQueue } from './queue.ts';
import { canRetry, isUnfinished } from './queue-item.ts';
import { QueueRow } from './queue-row.ts';
import { timeLeft } from './time-left.ts';

const headingId = 'queue-title';

/**
 * Shows the queue: its progress, its controls and its items.
 *
 * @param additions How often entries were added; each time, the heading gets the focus. 0 after a reload.
 */
export function QueuePanel({ additions }: { additions: number }): View {
  const state = useStore(queue);
  useNow(1_000);
  // Not after the paint: until then, the focus would be nowhere.
  useLayoutEffect(() => {
    if (additions > 0) document.getElementById(headingId)?.focus();
  }, [additions]);
  const savesFiles = useStore(savesByItself);
  const { items, paused, start, saving, saveMode, omitted } = state;
  if (items.length === 0) return null;
  const { collection } = messages();
  const texts = collection.queue;
  const share = shareDone(items);
  const done = items.filter((item) => item.state === 'done').length;
  const failed = items.filter((item) => item.state === 'failed').length;
  const active = items.some(isUnfinished);
  const seconds = active && !paused && start !== undefined ? timeLeft(start, { at: Date.now(), share }) : undefined;
  const facts = [
    collection.progress(done, items.length),
    ...(failed === 0 ? [] : [texts.failedCount(failed)]),
    ...(seconds === undefined ? [] : [texts.timeLeft(timeText(seconds))]),
  ];
  return html`
    <section class="panel queue" aria-labelledby=${headingId}>
      <div class="queue-head">
        <div>
          <h2 id=${headingId} tabindex="-1">${headingOf(state)}</h2>
          <p class="soft">${facts.join(' · ')}</p>
        </div>
        <${Controls} state=${state} />
      </div>
      <progress max="1" value=${share} aria-label=${texts.progressLabel}></progress>
      <${WaitText} state=${state} />
      ${omitted === 0 ? null : html`<p class="small">${collection.tooMany(omitted)}</p>`}
      ${
        active || saving !== undefined
          ? html`<p class="soft small">
              ${saveMode === 'files' && savesFiles ? texts.permission : texts.keepOpen}
            </p>`
          : null
      }
      <details open>
        <summary>${texts.items}</summary>
        <ol class="queue-items" tabindex="0" aria-label=${texts.items}>
          ${items.map((item) => html`<${QueueRow} key=${item.id} item=${item} />`)}
        </ol>
      </details>
    </section>
  `;
}

function headingOf({ items, paused, saving }: Queue): string {
  const { queue: texts } = messages().collection;
  const count = (state: string) => items.filter((item) => item.state === state).length;
  if (saving !== undefined) return texts.zipping(saving.index + 1, saving.total);
  if (items.some(isUnfinished)) return paused ? texts.paused : texts.working(items.length);
  if (count('failed') > 0) return texts.failed(count('failed'));
  return count('stopped') > 0 ? texts.stopped : texts.done(items.length);
}

function Controls({ state: { items, paused } }: { state: Queue }): View {
  const { queue: texts } = messages().collection;
  const active = items.some(isUnfinished);
  const retryable = items.filter(canRetry).length;
  return html`
    <div class="actions">
      ${
        active
          ? html`
              <button type="button" key="pause" onClick=${paused ? resumeQueue : pauseQueue}>
                <${Icon} name=${paused ? 'play' : 'pause'} /> ${paused ? texts.resume : texts.pause}
              </button>
            `
          : null
      }
      ${
        retryable > 0
          ? html`<button type="button" key="retry" onClick=${retryFailed}><${Icon} name="retry" /> ${texts.retryAll(retryable)}</button>`
          : null
      }
      <button type="button" key="end" class="plain" onClick=${active ? stopQueue : clearAll}>
        <${Icon} name="close" /> ${active ? texts.stop : texts.clear}
      </button>
    </div>
  `;
}

/** Removes all items, and with them the panel that has the focus. */
function clearAll(): void {
  clearQueue();
  document.getElementById('paste')?.focus();
}

function WaitText({ state: { wait, items, paused } }: { state: Queue }): View {
  const { wait: texts } = messages().collection.queue;
  if (wait === undefined || paused || !items.some(isUnfinished)) return null;
  const seconds = Math.max(1, (wait.until - Date.now()) / 1_000);
  const text = {
    busy: () => texts.busy(timeText(seconds)),
    day: () => texts.day(clockText(new Date(wait.until))),
    offline: () => texts.offline,
  }[wait.reason]();
  return html`<p class="notice"><${Icon} name="info" /> ${text}</p>`;
}

/** Renders a component again at an interval. */
function useNow(milliseconds: number): void {
  const [, setNow] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds]);
}
