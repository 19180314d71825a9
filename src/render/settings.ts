import { availableParallelism } from 'node:os';
import { integer } from '../settings/readers.ts';
import { setting } from '../settings/setting.ts';

/** Default of `SCRUB_RATE` for files in a folder, in bytes a second. */
export const folderScrubRate = 4_000_000;

/** Settings of jobs, workers and stored files. */
export const renderSettings = {
  MAX_QUEUED_JOBS: setting({
    description: 'Jobs that may wait in the queue. Further ones fail at once.',
    default: '1000',
    read: integer(0, 1_000_000),
  }),
  WORKER_CONCURRENCY: setting({
    description: 'Jobs that a worker runs at once.',
    default: 'one per core',
    fallback: availableParallelism,
    read: integer(1, 64),
  }),
  WORKER_DISK_RESERVE: setting({
    description:
      'Space that must be free on the disk of DATA_DIR. With less, a worker takes no jobs until there is room again.',
    default: '100000000',
    unit: 'bytes',
    read: integer(0, Number.MAX_SAFE_INTEGER),
  }),
  SCRUB_RATE: setting({
    description: 'Bytes a second at which a worker reads stored files back to find damaged ones; 0: never.',
    default: `${folderScrubRate} for a folder; 0 for an S3-compatible store, where reads cost money`,
    fallback: () => undefined,
    read: integer(0, 10_000_000_000),
  }),
  SCRUB_INTERVAL: setting({
    description: 'Time from one such check of a stored file to the next.',
    default: '21600',
    unit: 'seconds',
    read: integer(1, 864_000),
  }),
};
