import { setTimeout as delay } from 'node:timers/promises';
import type { Scene } from './scene.ts';
import { fetchStatus, type TrackedJob } from './tracked-job.ts';
import { waitUntil } from './wait-until.ts';

const REACH_TIMEOUT_S = 40;
/** For jobs that nothing disturbs. */
const IDLE_TIMEOUT_S = 90;
/** Bytes a second to an S3 server where uploads shall be met under way. */
const SLOW_UPLOAD = 400_000;

/** A stage of jobs at which a fault can strike. */
interface Stage {
  /** Whether the source sends slowly, so that downloads take some seconds. */
  readonly slowSource: boolean;
  /** How often each kind of job is started. */
  readonly rounds: number;
  /** Settles when a job is at the stage; `false` if that was missed. */
  reach(scene: Scene): Promise<boolean>;
}

const anyJobIs = ({ jobs }: Scene, state: string, progress = 0) =>
  jobs.some((job) => job.latestEvent()?.status === state && (job.latestEvent()?.progress ?? 0) >= progress);

/** Waits a while, so that the fault does not always strike at the start of a stage. */
const linger = ({ pick }: Scene, maxMs: number) => delay(pick(maxMs, 'linger'));

/** Every stage by its name. */
export const stages = {
  start: {
    slowSource: false,
    rounds: 1,
    async reach(scene) {
      // The calls were just sent.
      await linger(scene, 40);
      return true;
    },
  },
  queued: {
    slowSource: true,
    // More than there are slots.
    rounds: 2,
    // Jobs that are started at once may all hope for a free slot, and wait as `pending`.
    reach: (scene) =>
      waitUntil(
        () => anyJobIs(scene, 'downloading_inputs') && (anyJobIs(scene, 'queued') || anyJobIs(scene, 'pending')),
        REACH_TIMEOUT_S,
        20,
      ),
  },
  downloading_inputs: {
    slowSource: true,
    rounds: 1,
    async reach(scene) {
      const isReached = await waitUntil(() => anyJobIs(scene, 'downloading_inputs', 3), REACH_TIMEOUT_S, 20);
      await linger(scene, 3_000);
      return isReached;
    },
  },
  processing: {
    slowSource: false,
    rounds: 1,
    async reach({ world, jobs }) {
      // Events are a second apart, which may be longer than a short re-encoding takes.
      const encodeJobs = jobs.filter(({ kind }) => kind === 'encode');
      const isProcessed = async ({ id }: TrackedJob) => (await fetchStatus(world.url, id))?.status === 'processing';
      return waitUntil(
        async () => (await Promise.all(encodeJobs.map(isProcessed))).includes(true),
        REACH_TIMEOUT_S,
        20,
      );
    },
  },
  uploading_output: {
    slowSource: false,
    rounds: 1,
    async reach(scene) {
      const { world } = scene;
      for (const { links } of world.workers) links.store.slow(SLOW_UPLOAD);
      if (world.store === 's3') return waitUntil(() => anyJobIs(scene, 'uploading_output'), REACH_TIMEOUT_S, 20);
      // On a disk it is over before a status event could tell.
      const before = await world.files.entries();
      return waitUntil(async () => (await world.files.entries()) > before, REACH_TIMEOUT_S, 2);
    },
  },
  completion: {
    slowSource: false,
    rounds: 1,
    async reach({ world, jobs }) {
      const before = await world.files.keys();
      // The file is there whole, and its job not yet done, or just so.
      const newFile = async () => [...(await world.files.keys())].some((key) => !before.has(key));
      const isReached = await waitUntil(newFile, REACH_TIMEOUT_S, 2);
      return isReached && jobs.some((job) => job.latestEvent()?.status !== 'done');
    },
  },
  idle: {
    slowSource: false,
    rounds: 1,
    reach: ({ jobs }) => waitUntil(() => jobs.every((job) => job.latestEvent()?.status === 'done'), IDLE_TIMEOUT_S),
  },
} as const satisfies Record<string, Stage>;

/** The name of a stage. */
export type StageName = keyof typeof stages;
