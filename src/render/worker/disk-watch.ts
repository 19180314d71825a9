import { join } from 'node:path';
import type { Logger } from 'pino';
import { freeBytes } from '../../files/free-bytes.ts';
import { openForWriting } from '../../files/open-file.ts';
import { removeFile } from '../../files/remove-tree.ts';
import { withTimeout } from '../../waiting/with-timeout.ts';
import { isDiskFull } from '../engine/errors/disk-full.ts';

/** Time after which a disk that does not respond counts as failing. */
const CHECK_TIMEOUT_MS = 5_000;
/**
 * A disk that was full must have this multiple of the reserve free to count as usable again, so that its state does not
 * flap.
 */
const RESUME_FACTOR = 1.1;
/** Pause of a worker after a job has run out of disk: doubled each time, until a job is done. */
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 60_000;
/** Written to test a disk, because only writing reveals quotas and read-only file systems. */
const PROBE = Buffer.alloc(1024 * 1024, 1);
const PROBE_NAME = 'probe';

/** The reason why jobs cannot use a disk. */
type DiskFault = 'disk_full' | 'disk_failing';

/** Monitors whether jobs can use a worker's disk. */
export interface DiskWatch {
  /** The reason why jobs cannot use the disk, as of the last check; undefined while they can. */
  readonly fault: DiskFault | undefined;
  /** Maximum number of concurrent jobs: one after a job has run out of space, and one more after each that succeeds. */
  readonly maxJobs: number;
  /** Checks the disk, unless it is paused. Makes room while there is too little space. */
  check(): Promise<void>;
  /** Records that a job has failed on the disk. */
  jobFailed(error: unknown): void;
  /** Records that a job is done. */
  jobDone(): void;
}

/** A disk to watch. */
interface WatchedDisk {
  /** A folder on it. */
  readonly folder: string;
  /** Bytes that must be free. */
  readonly reserve: number;
  /** Deletes something that a job can create again. Returns whether it was deleted. */
  readonly makeRoom?: () => Promise<boolean>;
  readonly log: Logger;
}

/** Returns the disk fault that an error of the file system indicates; undefined if none. */
export function diskFault(error: unknown): DiskFault | undefined {
  if (isDiskFull(error)) return 'disk_full';
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EROFS' || code === 'EIO' ? 'disk_failing' : undefined;
}

/** Starts monitoring a disk. It counts as usable until a check or a job shows otherwise. */
export function watchDisk({ folder, reserve, makeRoom, log }: WatchedDisk): DiskWatch {
  let fault: DiskFault | undefined;
  let maxJobs = Number.POSITIVE_INFINITY;
  let pauseMs = FIRST_PAUSE_MS;
  let pausedUntil = 0;

  function setFault(next: DiskFault | undefined, err?: unknown): void {
    if (next === fault) return;
    fault = next;
    if (next === undefined) log.info({ folder }, 'the worker resumes: its disk accepts files again');
    else log.error({ err, reason: next, folder, reserve }, 'the worker pauses: its disk accepts no more files');
  }

  async function probe(): Promise<void> {
    const path = join(folder, PROBE_NAME);
    try {
      const file = await openForWriting(path, { keep: false });
      await file.writeFile(PROBE).finally(() => file.close());
    } finally {
      await removeFile(path);
    }
  }

  /** Returns whether there is too little space. */
  async function inspect(): Promise<boolean> {
    const free = await freeBytes(folder);
    if (free < reserve * (fault === undefined ? 1 : RESUME_FACTOR)) {
      setFault('disk_full');
      return true;
    }
    if (fault !== undefined) await probe();
    setFault(undefined);
    return false;
  }

  return {
    get fault() {
      return fault;
    },
    get maxJobs() {
      return maxJobs;
    },
    async check() {
      if (performance.now() < pausedUntil) return;
      try {
        // A paused worker claims no jobs, so it would never resume the jobs whose files remain here, and the files
        // would stay forever.
        while ((await withTimeout(inspect(), CHECK_TIMEOUT_MS)) && (await makeRoom?.()) === true) {
          log.warn({ folder }, 'the disk is full: files of an earlier run were removed');
        }
      } catch (error) {
        pausedUntil = performance.now() + FIRST_PAUSE_MS;
        setFault(diskFault(error) ?? 'disk_failing', error);
      }
    },
    jobFailed(error) {
      maxJobs = 1;
      pausedUntil = performance.now() + pauseMs;
      pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
      setFault(diskFault(error) ?? 'disk_full', error);
    },
    jobDone() {
      maxJobs += 1;
      pauseMs = FIRST_PAUSE_MS;
    },
  };
}
