import { type BatchWait, type ItemReport, MillraceClientError, type RenderBatch } from '#client/index.ts';
import { announce } from '../common/announcer.ts';
import { client } from '../common/client.ts';
import { createStore } from '../common/store.ts';
import { savesByItself } from '../downloads/auto-save.ts';
import { messages } from '../language/language.ts';
import { describeError } from '../problems/error-text.ts';
import type { Entry } from './entry.ts';
import { canRetry, isUnfinished, progressOf, type QueueItem } from './queue-item.ts';
import { queueProgress } from './queue-title.ts';
import { type ItemChanges, runItem } from './run-item.ts';
import { fitsArchive, type Saving, saveAsArchive, saveFiles } from './save-files.ts';
import { MAX_ITEMS, readSavedQueue, type SavedQueue, saveQueue } from './saved-queue.ts';
import { describeWait, type ServiceWait } from './service-wait.ts';
import type { ProgressSample } from './time-left.ts';
import type { SaveMode, WantedKind } from './wanted-kind.ts';

/** The queue and its current state. */
export interface Queue extends SavedQueue {
  /** Why no item starts now, and until when. */
  readonly wait?: ServiceWait | undefined;
  /** The state in which the queue last started to work. */
  readonly start?: ProgressSample | undefined;
  /** The archive that is being made. */
  readonly saving?: Saving | undefined;
  /** Number of entries that did not fit into the queue. */
  readonly omitted: number;
}

/** Items in progress at a time, which is also the default limit of the service for a visitor. */
const CONCURRENCY = 3;
/** Milliseconds that an item waits for the service before it has failed: longer than a daily limit lasts. */
const MAX_WAIT_MS = 2 * 24 * 3_600_000;
/** Longer than any render. */
const RENDER_TIMEOUT_MS = 24 * 3_600_000;
/** Maximum reconnects: enough for some minutes, in which a service can restart. */
const RECONNECTS = 40;

/** The queue of this tab. */
export const queue = createStore<Queue>({ ...readSavedQueue(), omitted: 0 });

/** IDs of the items whose files are being saved. */
const beingSaved = new Set<string>();
/** Runs the items by their IDs, until it is stopped. */
let batch = openBatch();
/** The wait of the batch that the queue shows. */
let shownWait: BatchWait | undefined;

queue.listen(publishProgress);
addEventListener('beforeunload', (event) => {
  const { items, saving } = queue.get();
  // The items of a closed tab are lost; after a reload, they continue.
  if (saving !== undefined || items.some(isUnfinished)) event.preventDefault();
});
publishProgress();
updateAll((item) => (isUnfinished(item) ? { ...item, state: 'waiting' } : item));
saveEnded();
batch.add(waitingIds());

/**
 * Adds entries to the queue. Those that it has already and that have ended start again.
 *
 * @param name Title of the list, which names the archive.
 */
export function enqueue(entries: readonly Entry[], wanted: WantedKind, saveMode: SaveMode, name: string): void {
  const ids = new Set(entries.map(({ source }) => itemId(source, wanted)));
  const old = queue.get().items;
  const kept = old.filter((item) => isUnfinished(item) || !ids.has(item.id));
  const unfinished = kept.filter(isUnfinished);
  const isNew = ({ source }: Entry) => unfinished.every(({ id }) => id !== itemId(source, wanted));
  const added = entries.filter(isNew).map((entry) => newItem(entry, wanted));
  // If there is not enough room, ended items make room for new ones.
  const before = kept.length + added.length <= MAX_ITEMS ? kept : unfinished;
  const room = MAX_ITEMS - before.length;
  const items = [...before, ...added.slice(0, room)];
  set({ items, saveMode, name, omitted: Math.max(0, added.length - room) });
  batch.add(added.slice(0, room).map(({ id }) => id));
  resumeQueue();
}

/** Starts no further items. Those in progress continue. */
export function pauseQueue(): void {
  set({ paused: true });
  batch.pause();
}

/** Ends a pause. */
export function resumeQueue(): void {
  set({ paused: false, start: undefined });
  batch.resume();
}

/** Ends all items, and cancels their renders. */
export function stopQueue(): void {
  // Nobody waits for the result: a render that cannot be cancelled ends by itself, and its file expires.
  batch.stop({ cancel: true });
  batch = openBatch();
  showWait();
  updateAll((item) => (isUnfinished(item) ? { ...item, state: 'stopped', progress: 0 } : item));
  saveEnded();
}

/** Starts the failed and the stopped items again. */
export function retryFailed(): void {
  restart(queue.get().items.filter(canRetry));
  resumeQueue();
}

/** Starts one item again. */
export function retryItem(id: string): void {
  restart(queue.get().items.filter((item) => item.id === id && canRetry(item)));
  set({ start: undefined });
}

/** Removes all items that have ended. */
export function clearQueue(): void {
  set({ items: queue.get().items.filter(isUnfinished), omitted: 0 });
}

/** Returns the share of the work that is done, from 0 to 1. */
export function shareDone(items: readonly QueueItem[]): number {
  if (items.length === 0) return 0;
  const percent = items.reduce((sum, item) => sum + (isUnfinished(item) ? item.progress : 100), 0);
  return percent / (100 * items.length);
}

/** Opens the batch that runs the items. Reports of a batch that has been stopped are ignored. */
function openBatch(): RenderBatch<string> {
  const opened = client.renders.many<string>([], {
    concurrency: CONCURRENCY,
    maxWait: MAX_WAIT_MS,
    timeout: RENDER_TIMEOUT_MS,
    reconnects: RECONNECTS,
    async run(id, task) {
      const item = itemWith(id);
      const report = (changes: ItemChanges) => {
        if (!task.signal.aborted) update(id, changes);
      };
      if (item !== undefined) await runItem(item, report, task);
    },
    onReport(report) {
      if (batch === opened) show(report);
    },
  });
  if (queue.get().paused) opened.pause();
  return opened;
}

/** Shows the state of an item. */
function show({ item: id, state, progress = 0, error }: ItemReport<string>): void {
  const item = itemWith(id);
  if (item === undefined) return;
  showWait();
  if (state === 'running') {
    update(id, { state, progress: progressOf(item, progress) });
  } else if (state === 'done') {
    update(id, { state, progress: 100, again: false });
    announceProgress();
  } else if (state === 'failed') {
    const { title: heading, text, quote = text } = describeError(error);
    update(id, { state, error: error instanceof MillraceClientError ? `${heading}. ${quote}` : text });
    announce(messages().collection.itemFailed(item.title));
  } else {
    const { items, start } = queue.get();
    if (state === 'preparing' && start === undefined) set({ start: { at: Date.now(), share: shareDone(items) } });
    update(id, { state });
  }
  saveEnded();
}

/** Shows why the items wait. The estimate of the remaining time starts again after a wait. */
function showWait(): void {
  const { wait } = batch;
  if (wait === shownWait) return;
  shownWait = wait;
  set(wait === undefined ? { wait, start: undefined } : { wait: describeWait(wait) });
}

/** Runs ended items again, in their order. */
function restart(items: readonly QueueItem[]): void {
  const ids = items.map(({ id }) => id);
  updateAll((item) => (ids.includes(item.id) ? restarted(item) : item));
  batch.add(ids);
}

function waitingIds(): readonly string[] {
  return queue
    .get()
    .items.filter(({ state }) => state === 'waiting')
    .map(({ id }) => id);
}

function itemWith(id: string): QueueItem | undefined {
  return queue.get().items.find((item) => item.id === id);
}

/** Saves the finished items: each at once, or all in one archive when none is left to do. */
function saveEnded(): void {
  const { items, saveMode } = queue.get();
  const ended = items.filter(({ id, state, saved }) => state === 'done' && !saved && !beingSaved.has(id));
  if (ended.length === 0) return;
  if (saveMode === 'files') for (const item of ended) void save([item]);
  else if (beingSaved.size === 0 && !items.some(isUnfinished)) void save(ended);
}

async function save(items: readonly QueueItem[]): Promise<void> {
  const { saveMode, name } = queue.get();
  const files = items.flatMap((item) => item.files);
  const ids = new Set(items.map(({ id }) => id));
  for (const id of ids) beingSaved.add(id);
  try {
    if (saveMode === 'zip' && fitsArchive(files)) await saveAsArchive(files, name, (saving) => set({ saving }));
    else if (savesByItself.get()) await saveFiles(files);
  } finally {
    for (const id of ids) beingSaved.delete(id);
    updateAll((item) => (ids.has(item.id) ? { ...item, saved: true } : item));
    set({ saving: undefined });
  }
  // Those that ended in the meantime.
  saveEnded();
}

function newItem({ source, title, thumbnailUrl }: Entry, wanted: WantedKind): QueueItem {
  const waiting = { state: 'waiting', progress: 0, files: [], saved: false } as const;
  const id = itemId(source, wanted);
  return { id, source, title, wanted, ...waiting, ...(thumbnailUrl === undefined ? {} : { thumbnailUrl }) };
}

function itemId(source: string, wanted: WantedKind): string {
  return `${wanted} ${source}`;
}

/** Returns an item that is to run again. Finished files of a failed item are kept. */
function restarted(item: QueueItem): QueueItem {
  const { error: _error, executionUrl: _executionUrl, expiresAt: _expiresAt, ...kept } = item;
  const files = item.state === 'done' ? [] : item.files;
  return { ...kept, files, state: 'waiting', progress: 0, saved: false, again: item.state === 'failed' };
}

function update(id: string, changes: ItemChanges & Partial<QueueItem>): void {
  updateAll((item) => (item.id === id ? { ...item, ...changes } : item));
}

function updateAll(change: (item: QueueItem) => QueueItem): void {
  set({ items: queue.get().items.map(change) });
}

function set(changes: Partial<Queue>): void {
  const before = queue.get();
  const next = { ...before, ...changes };
  queue.set(next);
  const isSame = (item: QueueItem, index: number) =>
    item.state === before.items[index]?.state &&
    item.saved === before.items[index]?.saved &&
    item.executionUrl === before.items[index]?.executionUrl;
  // Progress changes every second, and does not need to be saved.
  if (before.items.length === next.items.length && next.items.every(isSame) && before.paused === next.paused) return;
  const { items, paused, saveMode, name } = next;
  saveQueue({ items, paused, saveMode, name });
}

function publishProgress(): void {
  const { items, paused } = queue.get();
  const done = items.filter(({ state }) => state === 'done').length;
  const progress = { done, total: items.length, active: !paused && items.some(isUnfinished) };
  queueProgress.set(items.length === 0 ? undefined : progress);
}

function announceProgress(): void {
  const { items } = queue.get();
  announce(messages().collection.progress(items.filter(({ state }) => state === 'done').length, items.length));
}
