import type { RenderOutput, RenderStatusEvent } from '../../../../../src/contract/job-status.ts';
import type { BatchWait } from './capacity-gate.ts';

/**
 * The state of an item of a batch. `preparing`: its job has not started yet. `waiting`: it continues when the service
 * is less busy. `stopped`: the batch was stopped before the item had a result.
 */
export type ItemState = 'preparing' | 'waiting' | 'running' | 'done' | 'failed' | 'stopped';

/** The state of an item of a batch, whenever it changes. */
export interface ItemReport<Item> {
  readonly item: Item;
  /** Position in the batch, from 0. */
  readonly index: number;
  readonly state: ItemState;
  /** Whole percent, while the item is running. */
  readonly progress?: number;
  /** The latest status event of the render. */
  readonly event?: RenderStatusEvent;
  /** Why and until when it waits. */
  readonly wait?: BatchWait;
  /** The file of a finished item; the last one if it has several. */
  readonly output?: RenderOutput;
  /** Why the item failed, or why the job of a stopped item could not be cancelled. */
  readonly error?: unknown;
}

/** A change of an item that has not ended. */
export type ItemChange =
  | { readonly state: 'preparing' }
  | { readonly state: 'waiting'; readonly wait: BatchWait }
  | { readonly state: 'running'; readonly progress: number; readonly event: RenderStatusEvent };
