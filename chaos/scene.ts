import type { TrackedJob } from './tracked-job.ts';
import type { World } from './world.ts';

/** A kind of damage to a stored file. */
export type Damage = 'truncate' | 'remove' | 'flip';

/** The target of a fault. */
export interface Scene {
  readonly world: World;
  /** The jobs of the point. */
  readonly jobs: readonly TrackedJob[];
  /** Jobs whose stored file was damaged, and the kind of damage. */
  readonly damagedJobs: Map<TrackedJob, Damage>;
  /** Whether the fault makes the jobs expire. */
  readonly expires: boolean;
  /** Draws a number from 0 to `count` - 1. The same point and purpose always give the same number. */
  pick(count: number, purpose: string): number;
}
