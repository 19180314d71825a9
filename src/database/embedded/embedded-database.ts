import { mkdir } from 'node:fs/promises';
import type { PGlite } from '@electric-sql/pglite';
import type { Logger } from 'pino';
import { MillraceError } from '../../contract/errors.ts';
import { lockFolder } from '../../files/folder-lock.ts';
import { untilAborted } from '../../waiting/until-aborted.ts';
import { asynchronousCommit } from '../asynchronous-commit.ts';
import type { Database, Sql } from '../database.ts';
import { resolveDatabaseFolder } from './database-folder.ts';
import { DurableFiles } from './durable-files.ts';
import { saveFingerprint } from './fingerprint.ts';
import { startMaintenance } from './maintenance.ts';
import { type EngineOptions, openEngine } from './open-engine.ts';
import { packDatabase } from './pack-database.ts';
import { prepareStatements } from './prepared-statements.ts';
import { saveSnapshot } from './snapshot.ts';

const FIRST_SNAPSHOT_MS = 60_000;
const SNAPSHOT_INTERVAL_MS = 300_000;
/** Maximum age of asynchronous commits that a power cut can lose. */
const FLUSH_AFTER_MS = 1_000;
/** Flushes commits made with {@link asynchronousCommit}: writes a log record without effect, and waits for the disk. */
const flushStatement = `
  select pg_logical_emit_message(false, '', '', true) where pg_current_wal_insert_lsn() > pg_current_wal_flush_lsn()`;

/** The embedded database, which also takes snapshots of itself. */
export interface EmbeddedDatabase extends Database {
  /**
   * Writes a copy that replaces the database if it is damaged, unless the database is large. This also happens every
   * few minutes.
   */
  snapshot(signal?: AbortSignal): Promise<void>;
}

/**
 * Opens the embedded database in a folder of the data folder, and creates it at the first start. It adds features that
 * the engine lacks: a lock, flushing to disk, VACUUM and CHECKPOINT (it has no background processes). A snapshot every
 * few minutes covers lost or damaged files.
 *
 * @throws FolderInUseError when another process has it open; DamagedDatabaseError.
 */
export async function openEmbeddedDatabase(
  dataDirectory: string,
  log: Logger,
  options?: EngineOptions,
): Promise<EmbeddedDatabase> {
  // Only the service's user may read it: it contains the signing secret and the callers' requests.
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const lock = lockFolder(dataDirectory);
  try {
    const engine = await openEngine(dataDirectory, log, options);
    return toDatabase(engine, dataDirectory, lock, log);
  } catch (error) {
    lock.release();
    throw error;
  }
}

function toDatabase(engine: PGlite, dataDirectory: string, lock: { release(): void }, log: Logger): EmbeddedDatabase {
  const files = DurableFiles.of(engine);
  const maintenance = startMaintenance(engine, log);
  const tasks = startFlushesAndCopies(engine, files, dataDirectory, log);
  /**
   * Waits until everything committed so far is on disk, including the data that `result` was read from. Then returns
   * the result or throws its error.
   */
  const afterFlush = async <Result>(result: Promise<Result>): Promise<Result> => {
    try {
      return await result;
    } finally {
      await files.waitForFlush();
    }
  };
  const execute = prepareStatements(engine);
  const withFlush = <Row>(text: string, result: Promise<Row[]>) =>
    result.finally(() => {
      if (text.includes(asynchronousCommit)) tasks.flushSoon();
    });
  return {
    query: <Row>(text: string, parameters: readonly unknown[] = []) =>
      afterFlush(maintenance.inTurn(() => withFlush(text, execute<Row>(text, parameters)))),
    transaction: (work) =>
      afterFlush(
        maintenance.inTurn(() =>
          engine.transaction((transaction) => {
            const sql: Sql = { query: (text, parameters) => withFlush(text, rows(transaction, text, parameters)) };
            return work(sql);
          }),
        ),
      ),
    async listen(channel, listener) {
      const stop = await engine.listen(channel, listener);
      return () => stop();
    },
    // The only connection is within this process.
    state: () => ({ open: 1, idle: 1, waiting: 0, listening: true }),
    backup: () => tasks.backup(),
    snapshot: (signal) => tasks.snapshot(signal),
    async close() {
      await Promise.all([maintenance.stop(), tasks.stop()]);
      await engine.close();
      try {
        await saveFingerprint(await resolveDatabaseFolder(dataDirectory));
      } catch (error) {
        log.warn({ err: error }, 'could not save the state of the database; the next start examines all its files');
      }
      lock.release();
    },
  };
}

async function rows<Row>(
  engine: Pick<PGlite, 'query'>,
  text: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const result = await engine.query<Row>(text, [...parameters]);
  return result.rows;
}

/** Flushes asynchronous commits, and makes the database's copies one after the other. */
function startFlushesAndCopies(engine: PGlite, files: DurableFiles, dataDirectory: string, log: Logger) {
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  const run = <Result>(work: () => Promise<Result>): Promise<Result> => {
    // After a disk error the state of the files is unknown, so no snapshot of them may replace the last good one.
    const result = running.then(() => files.waitForFlush()).then(work);
    running = result.catch(() => undefined);
    return result;
  };
  const add = (name: string, work: () => Promise<unknown>) => {
    run(work).catch((error: unknown) => {
      // A stop aborts the snapshot, which is not a failure.
      if (!stopping.signal.aborted)
        log.error({ err: error }, `the database's ${name} failed and will be retried later`);
    });
  };
  const every = (interval: number, name: string, work: () => Promise<unknown>) =>
    setInterval(() => add(name, work), interval).unref();
  let isLarge = false;
  const save = async (signal: AbortSignal) => {
    const isSaved = await saveSnapshot(engine, dataDirectory, signal);
    if (!isSaved && !isLarge)
      log.warn('the database is too large for snapshots; make backups of it with "millrace backup"');
    isLarge = !isSaved;
  };
  const savePeriodically = () => save(stopping.signal);
  let flushing: Promise<unknown> = Promise.resolve();
  let flushTimer: NodeJS.Timeout | undefined;
  /**
   * Flushes the log. It is not queued with the other tasks, because a snapshot may take longer than
   * {@link FLUSH_AFTER_MS}.
   */
  const flush = () => {
    flushTimer = undefined;
    flushing = flushing
      .then(() => engine.query(flushStatement))
      .then(() => files.waitForFlush())
      .catch((error: unknown) => {
        log.error({ err: error }, "the database's flush failed and will be retried later");
        flushSoon();
      });
  };
  function flushSoon(): void {
    if (!stopping.signal.aborted) flushTimer ??= setTimeout(flush, FLUSH_AFTER_MS).unref();
  }
  const timers = [
    setTimeout(() => add('snapshot', savePeriodically), FIRST_SNAPSHOT_MS).unref(),
    every(SNAPSHOT_INTERVAL_MS, 'snapshot', savePeriodically),
  ];
  return {
    /** Flushes within a second. */
    flushSoon,
    backup: () =>
      run(async () => packDatabase(engine, await resolveDatabaseFolder(dataDirectory), { signal: stopping.signal })),
    snapshot: (signal: AbortSignal = stopping.signal) =>
      untilAborted(
        run(() => save(signal)),
        signal,
      ),
    async stop(): Promise<void> {
      timers.forEach(clearTimeout);
      clearTimeout(flushTimer);
      stopping.abort(new MillraceError('service_unavailable', 'The service is stopping. Try again later.'));
      await Promise.all([running, flushing]);
    },
  };
}
