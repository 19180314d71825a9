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
import { type EngineOptions, openEngine } from './open-engine.ts';
import { packDatabase } from './pack-database.ts';
import { prepareStatements } from './prepared-statements.ts';
import { saveSnapshot } from './snapshot.ts';

const MAINTENANCE_INTERVAL_MS = 60_000;
const FIRST_SNAPSHOT_MS = 60_000;
const SNAPSHOT_INTERVAL_MS = 300_000;
/** The longest time whose asynchronous commits a power cut can lose. */
const FLUSH_AFTER_MS = 1_000;
/** Log written since the last maintenance that is worth another one, in bytes: an idle service writes 20 kB a minute. */
const MAINTENANCE_LOG_BYTES = 1_000_000;
/** Maintenance intervals after which it is done for less. */
const MAX_SKIPPED_INTERVALS = 15;

/** Flushes after commits with {@link asynchronousCommit}: writes a log record without effect, and waits for the disk. */
const flushStatement = `
  select pg_logical_emit_message(false, '', '', true) where pg_current_wal_insert_lsn() > pg_current_wal_flush_lsn()`;

/** The embedded database, which also makes copies of itself. */
export interface EmbeddedDatabase extends Database {
  /** Writes a copy that replaces the database if it is damaged, unless it is large; done every few minutes as well. */
  snapshot(signal?: AbortSignal): Promise<void>;
}

/**
 * Opens the embedded database in a folder of the data directory; makes it at the first start. What the engine lacks is
 * added here: a lock, fsync, VACUUM and CHECKPOINT (it has no background processes), and a snapshot every few minutes, in
 * case its files are lost or damaged.
 *
 * @throws FolderInUseError when another process has it open; DamagedDatabaseError.
 */
export async function openEmbeddedDatabase(
  dataDirectory: string,
  log: Logger,
  options?: EngineOptions,
): Promise<EmbeddedDatabase> {
  // Nobody else's business: it holds the signing secret and what callers fetch.
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
  const maintenance = startMaintenance(engine, files, dataDirectory, log);
  /** The result or the error, once it is on disk, and everything it was read from. */
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
      if (text.includes(asynchronousCommit)) maintenance.flushSoon();
    });
  return {
    query: <Row>(text: string, parameters: readonly unknown[] = []) =>
      afterFlush(withFlush(text, execute<Row>(text, parameters))),
    transaction: (work) =>
      afterFlush(
        engine.transaction((transaction) => {
          const sql: Sql = { query: (text, parameters) => withFlush(text, rows(transaction, text, parameters)) };
          return work(sql);
        }),
      ),
    async listen(channel, listener) {
      const stop = await engine.listen(channel, listener);
      return () => stop();
    },
    // Its one connection is in this process.
    state: () => ({ open: 1, idle: 1, waiting: 0, listening: true }),
    backup: () => maintenance.backup(),
    snapshot: (signal) => maintenance.snapshot(signal),
    async close() {
      await maintenance.stop();
      await engine.close();
      try {
        await saveFingerprint(await resolveDatabaseFolder(dataDirectory));
      } catch (error) {
        log.warn({ err: error }, 'the state of the database could not be noted; the next start examines all its files');
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

/** Bytes that the write-ahead log has ever had. */
async function logBytes(engine: PGlite): Promise<number> {
  const [row] = await rows<{ bytes: number }>(engine, `select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes`);
  return row?.bytes ?? Number.POSITIVE_INFINITY;
}

/** Does, one after the other, what the engine does not do by itself. */
function startMaintenance(engine: PGlite, files: DurableFiles, dataDirectory: string, log: Logger) {
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  const run = <Result>(work: () => Promise<Result>): Promise<Result> => {
    // After a disk error nothing is known of the files: no snapshot of them may replace the last good one.
    const result = running.then(() => files.waitForFlush()).then(work);
    running = result.catch(() => undefined);
    return result;
  };
  const add = (name: string, work: () => Promise<unknown>) => {
    run(work).catch((error: unknown) => {
      // A stop breaks off a snapshot.
      if (!stopping.signal.aborted) log.error({ err: error }, `the database's ${name} failed; it is tried again later`);
    });
  };
  const every = (interval: number, name: string, work: () => Promise<unknown>) =>
    setInterval(() => add(name, work), interval).unref();
  let isLarge = false;
  const save = async (signal: AbortSignal) => {
    const isSaved = await saveSnapshot(engine, dataDirectory, signal);
    if (!isSaved && !isLarge)
      log.warn('the database is too large for snapshots; make backups of it by "millrace backup"');
    isLarge = !isSaved;
  };
  const savePeriodically = () => save(stopping.signal);
  let flushing: Promise<unknown> = Promise.resolve();
  let flushTimer: NodeJS.Timeout | undefined;
  /** Not in turn with the rest: a snapshot may take longer than what may be lost. */
  const flush = () => {
    flushTimer = undefined;
    flushing = flushing
      .then(() => engine.query(flushStatement))
      .then(() => files.waitForFlush())
      .catch((error: unknown) => {
        log.error({ err: error }, "the database's flush failed; it is tried again later");
        flushSoon();
      });
  };
  function flushSoon(): void {
    if (!stopping.signal.aborted) flushTimer ??= setTimeout(flush, FLUSH_AFTER_MS).unref();
  }
  /** Length of the log at the end of the last maintenance, and how often it was left out since. */
  let maintainedLogBytes = 0;
  let skippedIntervals = 0;
  const maintain = async () => {
    skippedIntervals += 1;
    if (
      (await logBytes(engine)) - maintainedLogBytes < MAINTENANCE_LOG_BYTES &&
      skippedIntervals < MAX_SKIPPED_INTERVALS
    )
      return;
    await engine.exec('vacuum');
    await engine.exec('checkpoint');
    maintainedLogBytes = await logBytes(engine);
    skippedIntervals = 0;
  };
  const timers = [
    every(MAINTENANCE_INTERVAL_MS, 'maintenance', maintain),
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
      stopping.abort(new MillraceError('service_unavailable', 'The service is about to stop. Try again later.'));
      await Promise.all([running, flushing]);
    },
  };
}
