import { createHash } from 'node:crypto';
import type { Sql } from '../../database/database.ts';
import { LostFileError } from '../../storage/lost-file-error.ts';
import { type CoalescingTask, createCoalescingTask } from '../../waiting/coalescing-task.ts';
import { sleep } from '../../waiting/sleep.ts';
import { untilAborted } from '../../waiting/until-aborted.ts';
import { withTimeout } from '../../waiting/with-timeout.ts';
import { resultFilesOf } from '../jobs/result-files.ts';
import { startTicker } from '../scheduling/ticker.ts';
import { type FileToCheck, openCheckQueue } from './check-queue.ts';
import type { FileCheck, StoredFileMetrics } from './metrics-port.ts';
import { openStoredPart } from './open-stored-part.ts';
import { type LostFileServices, reportLostFile } from './report-lost-file.ts';

/** Maximum bytes per second while a hash is computed, and while the worker runs jobs, so that they have priority. */
const HASH_RATE = 64_000_000;
const BUSY_HASH_RATE = 16_000_000;
/** Interval between searches for files that no worker has reported: the comparison interval, within bounds. */
const MIN_POLL_MS = 5_000;
const MAX_POLL_MS = 60_000;
/** Pause after a failure of the store or the database: doubled each time. */
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 300_000;
const CHECK_TIMEOUT_MS = 5_000;

/** Dependencies of checking stored files. */
interface CheckServices extends Omit<LostFileServices, 'files'> {
  readonly sql: Sql;
  readonly metrics: StoredFileMetrics;
  /** Maximum bytes per second while files are compared with their hashes; 0 disables comparisons. */
  readonly rate: number;
  /** Seconds between two comparisons of a file. */
  readonly interval: number;
  /** Whether the worker runs jobs. */
  readonly busy: () => boolean;
}

/**
 * Checks stored files: computes missing hashes, and compares files with their existing hashes. Each of these two tasks
 * reads one file at a time, so that a long comparison does not delay new files.
 */
export interface FileChecks {
  /** Looks for a file without a hash immediately. */
  wake(): void;
  /** Aborts the current check; another node, or the next start, repeats it. */
  close(): Promise<void>;
}

/** Starts checking stored files. */
export function startFileChecks(services: CheckServices): FileChecks {
  const { sql, metrics, log, rate, interval, busy } = services;
  const queue = openCheckQueue(sql);
  const stop = new AbortController();
  const hashing = readWhileDue(() => queue.claimUnhashed());
  const comparing = rate === 0 ? undefined : readWhileDue(() => queue.claimOldest(interval));
  const poll = () => {
    hashing.request();
    comparing?.request();
  };
  const pollMs = Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, interval * 1_000));
  const ticker = startTicker(pollMs, 1, async () => poll());
  poll();

  /** Reads files until none is due. A failure that is not caused by the file pauses the reading for some time. */
  function readWhileDue(claim: () => Promise<FileToCheck | undefined>): CoalescingTask {
    let pauseMs = FIRST_PAUSE_MS;
    let pausedUntil = 0;
    async function readAll(): Promise<void> {
      while (!stop.signal.aborted && performance.now() >= pausedUntil) {
        const file = await claim();
        if (file === undefined) return;
        metrics.fileChecked(await check(file));
        pauseMs = FIRST_PAUSE_MS;
      }
    }
    return createCoalescingTask(readAll, (error) => {
      if (stop.signal.aborted) return;
      pausedUntil = performance.now() + pauseMs;
      log.error({ err: error, againInSeconds: pauseMs / 1_000 }, 'stored files cannot be checked now');
      pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    });
  }

  /**
   * Checks a file.
   *
   * @throws Errors that affect all files. The file is then due again.
   */
  async function check(file: FileToCheck): Promise<FileCheck> {
    try {
      return await verifyHash(file);
    } catch (error) {
      try {
        stop.signal.throwIfAborted();
        if (error instanceof LostFileError) {
          await reportLostFile(file.key, error, { ...services, files: resultFilesOf(sql) });
          return 'lost';
        }
        await untilAborted(withTimeout(services.storage.check(), CHECK_TIMEOUT_MS), stop.signal);
      } catch (failure) {
        await queue.release(file);
        throw failure;
      }
      // The disk or the network may be the cause, not the file.
      log.error({ err: error, key: file.key }, 'a stored file could not be read; it will be read again later');
      await queue.postpone(file, interval);
      return 'unreadable';
    }
  }

  async function verifyHash(file: FileToCheck): Promise<FileCheck> {
    const { key, sha256 } = file;
    if (sha256 === null) {
      await queue.setHash(key, await hashOf(file, () => (busy() ? BUSY_HASH_RATE : HASH_RATE)));
      return 'hashed';
    }
    if ((await hashOf(file, () => rate)) === sha256) return 'intact';
    // Memory and buses flip bits, too. A second read shows whether the stored file itself is damaged.
    const second = await hashOf(file, () => rate);
    if (second === sha256) return 'intact';
    throw new LostFileError('damaged', `the file ${key} in the store has the SHA-256 ${second} instead of ${sha256}`);
  }

  /**
   * Returns the SHA-256 of a stored file in base64. Reads at most `bytesPerSecond`, which may change during the read.
   */
  async function hashOf({ key, size }: FileToCheck, bytesPerSecond: () => number): Promise<string> {
    const hash = createHash('sha256');
    if (size === 0) return hash.digest('base64');
    const stream = await openStoredPart(services.storage, key, { first: 0, last: size - 1, size }, stop.signal);
    const startedAt = performance.now();
    let allowedMs = 0;
    for await (const chunk of stream) {
      hash.update(chunk);
      allowedMs += (chunk.length / bytesPerSecond()) * 1_000;
      const aheadMs = allowedMs - (performance.now() - startedAt);
      if (aheadMs > 1) await sleep(aheadMs, stop.signal);
    }
    return hash.digest('base64');
  }

  return {
    wake: hashing.request,
    async close() {
      ticker.stop();
      stop.abort(new Error('the node stops'));
      await Promise.all([hashing.settled(), comparing?.settled()]);
    },
  };
}
