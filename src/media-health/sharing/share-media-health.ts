import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '../../database/database.ts';
import { withTimeout } from '../../waiting/with-timeout.ts';
import { MARK_LIFETIME_MS } from '../item-marks.ts';
import type { LocalMediaHealth } from '../local-media-health.ts';
import { createOthersCounts } from './others-counts.ts';
import { createOutbox } from './outbox.ts';
import { createPacedTask } from './paced-task.ts';
import { deleteOldRows, mediaHealthChannel, readOthers, writeBatch } from './statements.ts';

/** Times in milliseconds. */
interface Pace {
  /** Minimum time between two writes, and between two reads. */
  readonly interval: number;
  /** Time between two reads without a notification. */
  readonly poll: number;
  /** Time until a failed write is repeated. */
  readonly retry: number;
  /** Time limit of the last write and of a pending read when the process stops. */
  readonly close: number;
}

const usualPace: Pace = { interval: 1_000, poll: 5_000, retry: 5_000, close: 1_000 };

/** Reads overlap by this time, because a transaction may become visible after a later one. */
const OVERLAP_S = 10;
const DELETE_INTERVAL_MS = 60_000;

/** Shares the media health of a process until it is closed. */
export interface MediaHealthSharing {
  /** Writes the remaining changes if the database is available, and ends. */
  close(): Promise<void>;
}

/**
 * Shares the media health of a process with all other nodes, through the database. Nothing waits for the database: if it
 * is unavailable, the process continues with what it knows, and writes and reads again later.
 */
export function shareMediaHealth(
  health: LocalMediaHealth,
  database: Database,
  log: Logger,
  pace: Pace = usualPace,
): MediaHealthSharing {
  const node = randomUUID();
  const outbox = createOutbox();
  const others = createOthersCounts();
  let isUnavailable = false;
  let lastRead: number | undefined;
  let lastDeletion = Number.NEGATIVE_INFINITY;

  /** Runs statements, and logs their failure: once as a warning for each outage. Returns whether they succeeded. */
  async function attempt(statements: () => Promise<void>): Promise<boolean> {
    try {
      await statements();
      isUnavailable = false;
      return true;
    } catch (error) {
      const level = isUnavailable ? 'debug' : 'warn';
      isUnavailable = true;
      log[level]({ err: error }, 'media health was not shared with other nodes; it will be shared later');
      return false;
    }
  }

  async function write(): Promise<void> {
    const batch = outbox.take();
    if (batch.counts.length === 0 && batch.marks.length === 0) return;
    if (!(await attempt(() => writeBatch(database, node, batch)))) {
      outbox.putBack(batch);
      writes.request(pace.retry);
      return;
    }
    if (lastDeletion > Date.now() - DELETE_INTERVAL_MS) return;
    lastDeletion = Date.now();
    await attempt(() => deleteOldRows(database));
  }

  async function read(): Promise<void> {
    const startedAt = Date.now();
    const seconds =
      lastRead === undefined ? MARK_LIFETIME_MS / 1_000 : Math.ceil((startedAt - lastRead) / 1_000) + OVERLAP_S;
    await attempt(async () => {
      const { counts, marks } = await readOthers(database, node, seconds);
      for (const each of counts) {
        const fetches = others.newIn(each);
        if (fetches !== undefined) health.addFetches(fetches);
      }
      for (const mark of marks) health.mergeMark(mark);
      lastRead = startedAt;
    });
    reads.request(pace.poll);
  }

  const writes = createPacedTask(write, pace.interval);
  const reads = createPacedTask(read, pace.interval);
  health.observe({
    counted(fetches) {
      outbox.addFetches(fetches);
      writes.request(pace.interval);
    },
    marked(mark) {
      outbox.addMark(mark);
      writes.request();
    },
  });
  reads.request();
  const listening = database
    .listen(mediaHealthChannel, (sender) => {
      if (sender !== node) reads.request();
    })
    .then((stop) => {
      // Notifications until now were missed.
      reads.request();
      return stop;
    })
    .catch((error: unknown) => {
      log.warn({ err: error }, 'no notifications about media health arrive, so it is read every 5 s');
      return undefined;
    });

  return {
    async close() {
      const end = async () => {
        await Promise.all([writes.stop(), reads.stop()]);
        await write();
        await (await listening)?.();
      };
      await withTimeout(end(), pace.close).catch((error: unknown) => {
        log.warn({ err: error }, 'the last changes in media health were not written');
      });
    },
  };
}
