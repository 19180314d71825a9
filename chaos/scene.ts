import type { TrackedJob } from './tracked-job.ts';
import type { World } from './world.ts';

/** A kind of damage to a stored file. */
export type Damage = 'truncate' | 'remove' | 'flip';

/** What a fault strikes. */
export interface Scene {
  readonly world: World;
  /** The jobs of the point. */
  readonly jobs: readonly TrackedJob[];
  /** Those whose stored file was damaged, and how. */
  readonly damagedJobs: Map<TrackedJob, Damage>;
  /** Whether the jobs expire by the fault. */
  readonly expires: boolean;
  /** Draws a number from 0 to below a count: the same one for the same point and purpose. */
  pick(count: number, purpose: string): number;
}
