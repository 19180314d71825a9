import type { PauseReason } from '../../contract/worker-pause.ts';
import type { DiskWatch } from './disk-watch.ts';
import type { StoreWatch } from './store-watch.ts';

/** Whether a worker can run jobs. */
export interface Readiness {
  /** Reasons why it claims no jobs; empty if it can claim jobs. */
  readonly reasons: readonly PauseReason[];
  /** Returns how many of `slots` may be used now. */
  usableSlots(slots: number): number;
  /** Checks the disk; see {@link DiskWatch}. */
  check(): Promise<void>;
}

/**
 * Returns the readiness of a worker, which depends on its disk and the store.
 *
 * @param isDraining Whether an administrator drains the worker's node.
 */
export function readinessOf(
  disk: DiskWatch,
  store: Pick<StoreWatch, 'failing' | 'trial'>,
  isDraining: () => boolean,
): Readiness {
  const reasons = (): PauseReason[] => [
    ...(disk.fault === undefined ? [] : [disk.fault]),
    ...(store.failing ? (['store_failing'] as const) : []),
    ...(isDraining() ? (['draining'] as const) : []),
  ];
  return {
    get reasons() {
      return reasons();
    },
    usableSlots: (slots) => (reasons().length > 0 ? 0 : Math.min(slots, disk.maxJobs, store.trial ? 1 : slots)),
    check: () => disk.check(),
  };
}
