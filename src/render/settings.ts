import { availableParallelism } from 'node:os';
import { readRequestRate } from '../accounts/request-rate.ts';
import { integer } from '../settings/readers.ts';
import { setting } from '../settings/setting.ts';
import { readVisitorLimits } from './jobs/visitor-limits.ts';

/** Default of `SCRUB_RATE` for files in a folder, in bytes per second. */
export const folderScrubRate = 4_000_000;

/** Settings of jobs, workers and stored files. */
export const renderSettings = {
  MAX_QUEUED_JOBS: setting({
    description:
      'Maximum number of jobs waiting in the queue. Further jobs fail immediately. Visitors of the page may fill half of ' +
      'it together. The last tenth is for the first waiting job of each key.',
    default: '1000',
    read: integer(0, 1_000_000),
  }),
  JOB_RATE: setting({
    description:
      'Starts, previews and cancellations by execution URL, also in batches, that one client may send per minute, and ' +
      'the maximum burst. For IPv6, a /64 network has this limit, a /56 four times and a /48 sixteen times as much. All ' +
      'clients that use the URLs of one account or visitor may send four times as many. A client may read the status of ' +
      'jobs four times as often, and an account may manage its jobs and webhooks as often. Each node counts separately. ' +
      'TRUSTED_PROXIES and loopback count as for connections.',
    default: '1800/900',
    read: readRequestRate,
  }),
  WORKER_CONCURRENCY: setting({
    description: 'Number of jobs that a worker runs concurrently.',
    default: 'one per core',
    fallback: availableParallelism,
    read: integer(1, 64),
  }),
  WORKER_DISK_RESERVE: setting({
    description:
      'Minimum free space on the disk of DATA_DIR. With less, a worker accepts no jobs until there is enough space again.',
    default: '100000000',
    unit: 'bytes',
    read: integer(0, Number.MAX_SAFE_INTEGER),
  }),
  WEB_JOBS: setting({
    description:
      'Unfinished jobs of one visitor of the page, and the jobs that the visitor may start within 24 hours. For IPv6, a /64 ' +
      'network has these limits, a /56 four times and a /48 sixteen times as much.',
    default: '3/50',
    read: readVisitorLimits,
  }),
  WEB_STORAGE: setting({
    description:
      'Size of the finished files of one visitor of the page. For IPv6, a /64 network has this limit, a /56 four times and ' +
      'a /48 sixteen times as much. The files of all visitors together have the limit of the plan of WEB_KEY (storedSize).',
    default: '10000000000',
    unit: 'bytes',
    read: integer(1, Number.MAX_SAFE_INTEGER),
  }),
  WEB_JOB_TIME: setting({
    description:
      'Time for which a worker downloads and processes the job of a visitor of the page. A job that takes longer fails.',
    default: '900',
    unit: 'seconds',
    read: integer(1, 86_400),
  }),
  SCRUB_RATE: setting({
    description: 'Bytes per second at which a worker reads stored files to find damaged ones. 0 disables this check.',
    default: `${folderScrubRate} for a folder; 0 for an S3-compatible store, where reads are billed`,
    fallback: () => undefined,
    read: integer(0, 10_000_000_000),
  }),
  SCRUB_INTERVAL: setting({
    description: 'Interval between two checks of the same stored file for damage.',
    default: '21600',
    unit: 'seconds',
    read: integer(1, 864_000),
  }),
};
