import type { WantedKind } from './wanted-kind.ts';

/** A file of an item. */
export interface QueueFile {
  readonly url: string;
  /** Bytes, if known. */
  readonly size?: number;
  /** Name without its folder; by default, the service names the file. */
  readonly name?: string;
}

/** The states of an item of the queue. */
export const itemStates = ['waiting', 'preparing', 'running', 'done', 'failed', 'stopped'] as const;

/** The state of an item of the queue. */
export type ItemState = (typeof itemStates)[number];

/** An item of the queue. Most items become one file; a post can have several. */
export interface QueueItem {
  readonly id: string;
  readonly title: string;
  readonly thumbnailUrl?: string;
  /** Address of the query on this page. */
  readonly source: string;
  readonly wanted: WantedKind;
  readonly state: ItemState;
  /** Percent. */
  readonly progress: number;
  /** Starts the render that was running last, or attaches to it. */
  readonly executionUrl?: string | undefined;
  /** The finished files, in order. */
  readonly files: readonly QueueFile[];
  /** Number of files, once known. */
  readonly count?: number;
  /** Whether the files were given to the browser to save. */
  readonly saved: boolean;
  /** Time at which the service deletes the first of the files, in ISO 8601. */
  readonly expiresAt?: string;
  /** Why it failed. */
  readonly error?: string;
  /** Whether it failed before, so that its links must be requested again. */
  readonly again?: boolean;
}

/** Returns the progress of an item in percent, from that of its current file. */
export function progressOf({ files, count = 1 }: Pick<QueueItem, 'files' | 'count'>, fileProgress: number): number {
  return Math.min(100, (files.length * 100 + fileProgress) / count);
}

/** Whether an item has not ended. */
export function isUnfinished({ state }: QueueItem): boolean {
  return state === 'waiting' || state === 'preparing' || state === 'running';
}

/** Whether an item ended without its files. */
export function canRetry({ state }: QueueItem): boolean {
  return state === 'failed' || state === 'stopped';
}
