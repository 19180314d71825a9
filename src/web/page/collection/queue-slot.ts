import { html, type View } from '../common/html.ts';
import { createStore, useStore } from '../common/store.ts';
import { lazy } from '../loading/lazy.ts';
import type { Entry } from './entry.ts';
import { hasSavedQueue } from './saved-queue.ts';
import type { SaveMode, WantedKind } from './wanted-kind.ts';

/** Whether there is a queue, which is then loaded, and how often entries were added to it. */
const slot = createStore({ hasQueue: hasSavedQueue(), additions: 0 });

const QueuePanel = lazy(async () => (await import('./queue-panel.ts')).QueuePanel);

/** Shows the queue, if there is one. Its code is loaded then. */
export function QueueSlot(): View {
  const { hasQueue, additions } = useStore(slot);
  return hasQueue ? html`<${QueuePanel} additions=${additions} />` : null;
}

/** Adds entries to the queue, and moves the focus to it. */
export async function addToQueue(
  entries: readonly Entry[],
  wanted: WantedKind,
  saveMode: SaveMode,
  name: string,
): Promise<void> {
  const { enqueue } = await import('./queue.ts');
  enqueue(entries, wanted, saveMode, name);
  slot.set({ hasQueue: true, additions: slot.get().additions + 1 });
}
