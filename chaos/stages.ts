import { setTimeout as delay } from 'node:timers/promises';
import type { Scene } from './scene.ts';
import { fetchStatus, type TrackedJob } from './tracked-job.ts';
import { waitUntil } from './wait-until.ts';

const REACH_TIMEOUT_S = 40;
/** Seconds within which jobs must finish without a fault. */
const IDLE_TIMEOUT_S = 90;
/** Bytes a second to an S3 server. This limit applies if the fault must hit a job that is uploading. */
const SLOW_UPLOAD = 400_000;

/** A stage of jobs at which a fault can be injected. */
interface Stage {
  /** Whether the source sends slowly, so that downloads take some seconds. */
  readonly slowSource: boolean;
  /** Number of jobs of each kind. */
  readonly rounds: number;
  /** Settles when a job is at the stage; `false` if the stage was missed. */
  reach(scene: Scene): Promise<boolean>;
}

const anyJobIs = ({ jobs }: Scene, state: string, progress = 0) =>
  jobs.some((job) => job.latestEvent()?.status === state && (job.latestEvent()?.progress ?? 0) >= progress);

/** Waits for a random time, so that the fault is not always injected at the start of a stage. */
const linger = ({ pick }: Scene, maxMs: number) => delay(pick(maxMs, 'linger'));

/** Every stage by its name. */
export const stages = {
  start: {
    slowSource: false,
    rounds: 1,
    async reach(scene) {
      // The start calls were sent just before.
      await linger(scene, 40);
      return true;
    },
  },
  queued: {
    slowSource: true,
    // With two jobs of each kind, there are more jobs than slots.
    rounds: 2,
    // Jobs that are started concurrently may all expect a free slot, and wait as `pending`.
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
      // Status is requested directly: events are a second apart, and a short re-encoding may take less.
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
      // On a disk, the upload ends before a status event could report it.
      const before = await world.files.entries();
      return waitUntil(async () => (await world.files.entries()) > before, REACH_TIMEOUT_S, 2);
    },
  },
  completion: {
    slowSource: false,
    rounds: 1,
    async reach({ world, jobs }) {
      const before = await world.files.keys();
      // When a new file appears, it is complete, and its job is not yet done or has just finished.
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
