import { createStore, type Store } from '../common/store.ts';

/** The progress of the queue. */
export interface QueueProgress {
  /** Items that are finished. */
  readonly done: number;
  readonly total: number;
  /** Whether items are waiting or running, and the queue is not paused. */
  readonly active: boolean;
}

/** The progress of the queue of this tab; undefined if it is empty. */
export const queueProgress: Store<QueueProgress | undefined> = createStore<QueueProgress | undefined>(undefined);

/** Puts the progress of an active queue before a title of the tab: `3/10 · Title`. */
export function withQueueProgress(title: string, progress: QueueProgress | undefined): string {
  return progress?.active === true ? `${progress.done}/${progress.total} · ${title}` : title;
}
