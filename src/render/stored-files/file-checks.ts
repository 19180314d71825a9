import { createHash } from 'node:crypto';
import type { Metrics } from '../../metrics/metrics.ts';
import { pause } from '../../pause.ts';
import { LostFileError } from '../../storage/lost-file-error.ts';
import { startRounds } from '../rounds.ts';
import { oneAtATime } from '../worker/one-at-a-time.ts';
import { type CheckQueue, type FileToCheck, openCheckQueue } from './check-queue.ts';
import { openPart } from './open-part.ts';
import { type LossServices, reportLost } from './report-lost.ts';

/** Bytes a second at most while a hash is computed, so that jobs have priority. */
const HASH_RATE = 64_000_000;
/** How often to look for files that no worker has reported. */
const LOOK_MS = 5_000;

/** What reading stored files back needs. */
export interface CheckServices extends LossServices {
  readonly metrics: Pick<Metrics, 'filesLost' | 'fileChecked'>;
  /** Bytes a second at most while files are compared with their hashes; 0: they are not. */
  readonly rate: number;
  /** Seconds from one comparison of a file to the next. */
  readonly interval: number;
}

/** Reads stored files back: computes the hashes that are missing, then compares files with theirs, one at a time. */
export interface FileChecks {
  /** Looks for a file without a hash now. */
  wake(): void;
  /** Ends the current check; another node, or the next start, repeats it. */
  close(): Promise<void>;
}

/** Starts reading stored files back. */
export function startFileChecks(services: CheckServices): FileChecks {
  const { sql, metrics, log, rate, interval } = services;
  const queue = openCheckQueue(sql);
  const stop = new AbortController();
  const checking = oneAtATime(checkAll, (error) => {
    if (!stop.signal.aborted) log.error({ err: error }, 'stored files could not be checked; the next round continues');
  });
  const rounds = startRounds(LOOK_MS, 1, async () => checking.ask());
  checking.ask();

  async function checkAll(): Promise<void> {
    for (;;) {
      if (stop.signal.aborted) return;
      const file = (await queue.claimUnhashed()) ?? (rate === 0 ? undefined : await queue.claimOldest(interval));
      if (file === undefined) return;
      metrics.fileChecked(await check(file, queue));
    }
  }

  async function check(file: FileToCheck, { setHash, handBack }: CheckQueue) {
    const { key, sha256 } = file;
    try {
      if (sha256 === null) {
        await setHash(key, await hashOf(file, HASH_RATE));
        return 'hashed';
      }
      if ((await hashOf(file, rate)) === sha256) return 'intact';
      // Memory and buses flip bits, too. A second reading excludes that.
      const found = await hashOf(file, rate);
      if (found === sha256) return 'intact';
      throw new LostFileError('damaged', `the file ${key} has the SHA-256 ${found} in the store instead of ${sha256}`);
    } catch (error) {
      if (stop.signal.aborted) {
        await handBack(key);
        throw error;
      }
      if (error instanceof LostFileError) {
        await reportLost(key, error, services);
        return 'lost';
      }
      // The disk or the network may be at fault, and not the file.
      log.error({ err: error, key }, 'a stored file could not be read; it will be read again later');
      return 'unreadable';
    }
  }

  /** The SHA-256 of a stored file in base64. Reads at most `bytesPerSecond`. */
  async function hashOf({ key, size }: FileToCheck, bytesPerSecond: number): Promise<string> {
    const hash = createHash('sha256');
    if (size === 0) return hash.digest('base64');
    const stream = await openPart(services.storage, key, { first: 0, last: size - 1, size }, stop.signal);
    const begun = performance.now();
    let bytes = 0;
    for await (const chunk of stream) {
      hash.update(chunk);
      bytes += chunk.length;
      const ahead = (bytes / bytesPerSecond) * 1_000 - (performance.now() - begun);
      if (ahead > 1) await pause(ahead, stop.signal);
    }
    return hash.digest('base64');
  }

  return {
    wake: checking.ask,
    async close() {
      rounds.stop();
      stop.abort(new Error('the node stops'));
      await checking.settled();
    },
  };
}
