import { mkdir } from 'node:fs/promises';
import type { PGlite } from '@electric-sql/pglite';
import type { Logger } from 'pino';
import { lockFolder } from '../files/lock.ts';
import type { Database, Sql } from './database.ts';
import { DurableFiles } from './durable-files.ts';
import { openEngine } from './engine.ts';
import { saveSnapshot } from './snapshot.ts';

const MAINTENANCE_INTERVAL_MS = 60_000;
const FIRST_SNAPSHOT_MS = 60_000;
const SNAPSHOT_INTERVAL_MS = 300_000;
const FLUSH_INTERVAL_MS = 1_000;

/** Flushes what was committed {@link withoutFlush}: writes a log record without effect, and waits for the disk. */
const flushStatement = `
  select pg_logical_emit_message(false, '', '', true) where pg_current_wal_insert_lsn() > pg_current_wal_flush_lsn()`;

/** The embedded database, which also makes copies of itself. */
export interface EmbeddedDatabase extends Database {
  /** Writes a copy that replaces the database if it is damaged. The upkeep does so every few minutes, too. */
  snapshot(signal?: AbortSignal): Promise<void>;
}

/**
 * Opens the embedded database in a folder of the data directory; makes it at the first start. What the engine lacks is
 * added here: a lock, fsync, VACUUM and CHECKPOINT (it has no background processes), and a snapshot every few minutes, in
 * case its files are lost or damaged.
 *
 * @throws FolderInUseError when another process has it open; DamagedDatabaseError.
 */
export async function openEmbedded(dataDirectory: string, log: Logger): Promise<EmbeddedDatabase> {
  // Nobody else's business: it holds the signing secret and what callers fetch.
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const lock = lockFolder(dataDirectory);
  try {
    const engine = await openEngine(dataDirectory, log);
    return wrap(engine, dataDirectory, lock, log);
  } catch (error) {
    lock.release();
    throw error;
  }
}

function wrap(engine: PGlite, dataDirectory: string, lock: { release(): void }, log: Logger): EmbeddedDatabase {
  const files = DurableFiles.of(engine);
  const upkeep = startUpkeep(engine, dataDirectory, log);
  /** Returns a result once it, and everything it was read from, is on disk. */
  const durable = async <Result>(result: Result): Promise<Result> => {
    await files.flushed();
    return result;
  };
  return {
    query: async <Row>(text: string, parameters?: readonly unknown[]) =>
      durable(await rows<Row>(engine, text, parameters)),
    transaction: async (work) =>
      durable(
        await engine.transaction((transaction) => {
          const sql: Sql = { query: (text, parameters) => rows(transaction, text, parameters) };
          return work(sql);
        }),
      ),
    async listen(channel, heard) {
      const stop = await engine.listen(channel, heard);
      return () => stop();
    },
    // Its one connection is in this process.
    state: () => ({ open: 1, idle: 1, waiting: 0, listening: true }),
    backup: () => upkeep.run(() => engine.dumpDataDir('gzip')),
    snapshot: (signal) => upkeep.run(() => saveSnapshot(engine, dataDirectory, signal)),
    async close() {
      await upkeep.stop();
      await engine.close();
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

/** Does, one after the other, what the engine does not do by itself. */
function startUpkeep(engine: PGlite, dataDirectory: string, log: Logger) {
  let running: Promise<unknown> = Promise.resolve();
  const run = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = running.then(work);
    running = done.catch(() => undefined);
    return done;
  };
  const add = (name: string, work: () => Promise<unknown>) => {
    run(work).catch((error: unknown) =>
      log.error({ err: error }, `the database's ${name} failed; it is tried again later`),
    );
  };
  const every = (interval: number, name: string, work: () => Promise<unknown>) =>
    setInterval(() => add(name, work), interval).unref();
  const saveOften = () => saveSnapshot(engine, dataDirectory);
  const timers = [
    every(FLUSH_INTERVAL_MS, 'flush', () => engine.query(flushStatement)),
    every(MAINTENANCE_INTERVAL_MS, 'maintenance', async () => {
      await engine.exec('vacuum');
      await engine.exec('checkpoint');
    }),
    setTimeout(() => add('snapshot', saveOften), FIRST_SNAPSHOT_MS).unref(),
    every(SNAPSHOT_INTERVAL_MS, 'snapshot', saveOften),
  ];
  return {
    /** Runs other work in turn with the upkeep. */
    run,
    async stop(): Promise<void> {
      timers.forEach(clearTimeout);
      await running;
    },
  };
}
