import type { PauseReason } from '../../contract/worker-pause.ts';
import type { DiskWatch } from './disk-watch.ts';
import type { StoreWatch } from './store-watch.ts';

/** Whether a worker can run jobs. */
export interface Readiness {
  /** Why it claims no jobs; empty while it does. */
  readonly reasons: readonly PauseReason[];
  /** How many of `slots` may be in use now. */
  usableSlots(slots: number): number;
  /** Looks at the disk; see {@link DiskWatch}. */
  check(): Promise<void>;
}

/** A worker is ready while its disk and the store are. */
export function readinessOf(disk: DiskWatch, store: Pick<StoreWatch, 'failing' | 'trial'>): Readiness {
  const reasons = (): PauseReason[] => [
    ...(disk.fault === undefined ? [] : [disk.fault]),
    ...(store.failing ? (['store_failing'] as const) : []),
  ];
  return {
    get reasons() {
      return reasons();
    },
    usableSlots: (slots) => (reasons().length > 0 ? 0 : Math.min(slots, disk.maxJobs, store.trial ? 1 : slots)),
    check: () => disk.check(),
  };
}
