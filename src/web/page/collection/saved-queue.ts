import { readStored, writeStored } from '../common/storage.ts';
import { itemStates, type QueueFile, type QueueItem } from './queue-item.ts';
import { oneOf, type SaveMode, saveModes, wantedKinds } from './wanted-kind.ts';

/** The queue in the form in which it is stored. */
export interface SavedQueue {
  readonly items: readonly QueueItem[];
  readonly paused: boolean;
  readonly saveMode: SaveMode;
  /** Title of the list that was added last, which names the archive. */
  readonly name: string;
}

/** Maximum number of items of the queue. */
export const MAX_ITEMS = 500;
const MAX_FILES = 100;
const MAX_TEXT = 8_192;
const STORAGE_KEY = 'millrace.queue';
const emptyQueue: SavedQueue = { items: [], paused: false, saveMode: 'files', name: '' };

/** Reads the queue of this tab. Files that have expired are left out. */
export function readSavedQueue(now: number = Date.now()): SavedQueue {
  const { items, ...settings } = parseSavedQueue(readStored(STORAGE_KEY, 'session'));
  return {
    ...settings,
    items: items.filter(({ expiresAt }) => expiresAt === undefined || Date.parse(expiresAt) > now),
  };
}

/** Saves the queue until the tab is closed. */
export function saveQueue(queue: SavedQueue): void {
  writeStored(STORAGE_KEY, queue.items.length === 0 ? '' : JSON.stringify(queue), 'session');
}

/** Whether a queue is stored. */
export function hasSavedQueue(): boolean {
  return (readStored(STORAGE_KEY, 'session') ?? '') !== '';
}

/** Parses a stored queue. Older or damaged text may contain anything. */
export function parseSavedQueue(text: string | null): SavedQueue {
  let value: unknown;
  try {
    value = JSON.parse(text || 'null');
  } catch {
    // Unreadable text counts as empty.
    return emptyQueue;
  }
  if (!isRecord(value) || !Array.isArray(value.items)) return emptyQueue;
  return {
    items: value.items.slice(0, MAX_ITEMS).flatMap(parseItem),
    paused: value.paused === true,
    saveMode: oneOf(saveModes, value.saveMode) ?? 'files',
    name: isText(value.name) ? value.name : '',
  };
}

function parseItem(value: unknown): readonly QueueItem[] {
  if (!isRecord(value)) return [];
  const { id, title, source, progress, count } = value;
  const wanted = oneOf(wantedKinds, value.wanted);
  const state = oneOf(itemStates, value.state);
  if (!isText(id) || !isText(title) || !isText(source) || wanted === undefined || state === undefined) return [];
  const files = Array.isArray(value.files) ? value.files.slice(0, MAX_FILES).flatMap(parseFile) : [];
  const item: QueueItem = {
    id,
    title,
    source,
    wanted,
    state,
    files,
    progress: typeof progress === 'number' && progress >= 0 && progress <= 100 ? progress : 0,
    saved: value.saved === true,
    again: value.again === true,
    ...texts(value, 'thumbnailUrl', 'executionUrl', 'expiresAt', 'error'),
    ...(typeof count === 'number' && Number.isSafeInteger(count) && count > 0 ? { count } : {}),
  };
  return [item];
}

function parseFile(value: unknown): readonly QueueFile[] {
  if (!isRecord(value) || !isText(value.url) || !/^(?:https?:\/\/|\/)/.test(value.url)) return [];
  const { url, size } = value;
  return [{ url, ...(typeof size === 'number' && size >= 0 ? { size } : {}), ...texts(value, 'name') }];
}

/** Returns the members that are texts. */
function texts<Name extends string>(
  value: Readonly<Record<string, unknown>>,
  ...names: readonly Name[]
): Partial<Record<Name, string>> {
  const entries = names.map((name) => [name, value[name]] as const).filter(([, text]) => isText(text));
  return Object.fromEntries(entries) as Partial<Record<Name, string>>;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
