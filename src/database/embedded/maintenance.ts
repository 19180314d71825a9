import type { PGlite } from '@electric-sql/pglite';
import type { Logger } from 'pino';
import { nextSlice } from '../../waiting/steps.ts';
import { DurableFiles } from './durable-files.ts';

const INTERVAL_MS = 60_000;
/** Bytes of log that make a run worthwhile after an interval. An idle service writes 20 kB a minute. */
const MIN_LOG_BYTES = 1_000_000;
/** Number of intervals after which maintenance runs regardless of the length of the log. */
const MAX_SKIPPED_INTERVALS = 15;

/**
 * Bytes written to the log after which maintenance runs at once. The engine logs the whole page at its first change
 * after a checkpoint, so the pages that one run of maintenance visits, writes and flushes have about this size.
 */
export const MAX_LOG_BYTES = 8_000_000;

/**
 * Largest table that VACUUM shortens. Before it does so, it reads all pages that it removes: 64 MB took 70 ms of
 * processor time (measured 2026-11-30).
 */
const MAX_SHORTENED_PAGES = 8_000;

/** Maximum parts of long values in a table that is rewritten. A part has 2 kB. */
const MAX_REWRITTEN_PARTS = 1_000;

/**
 * Tables that VACUUM has to visit, each without its TOAST table, which is another row. They have as many changed rows
 * as PostgreSQL's autovacuum requires at least (`autovacuum_vacuum_threshold`), or old rows to freeze before their
 * transaction IDs are used again (`vacuum_freeze_table_age`).
 */
const changedTables = `
  select relid::regclass::text as name, pg_relation_size(relid) / 8192 <= ${MAX_SHORTENED_PAGES} as shorten
  from pg_stat_all_tables join pg_class on pg_class.oid = relid
  where n_dead_tup + n_ins_since_vacuum >= 50 or age(relfrozenxid) > 150000000`;

/** Tables whose long values, which are in a TOAST table, have been too large to be shortened, unlike their rows. */
const largeTables = `
  select whole.oid::regclass::text as name, toast.oid::regclass::text as toast
  from pg_class whole join pg_class toast on toast.oid = whole.reltoastrelid
  where toast.relpages > ${MAX_SHORTENED_PAGES} and whole.relpages <= ${MAX_SHORTENED_PAGES / 4}`;

/** Counts the parts of long values, up to one too many to rewrite them. Its index contains only those that exist. */
const countParts = (toast: string) => `
  select count(*)::integer as parts
  from (select from ${toast} order by chunk_id, chunk_seq limit ${MAX_REWRITTEN_PARTS} + 1) counted`;

/** Runs statements one after the other, with maintenance in between. */
export interface Maintenance {
  /** Runs work after all earlier work, and maintenance after it if the log has grown by {@link MAX_LOG_BYTES}. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Aborts maintenance, and waits until its last statement has ended. */
  stop(): Promise<void>;
}

/**
 * Starts to maintain an engine, which has no background processes: every minute if it is worthwhile, and as soon as the
 * log has grown by {@link MAX_LOG_BYTES}. No work begins in the meantime, because it might add more than one run of
 * maintenance should visit.
 */
export function startMaintenance(engine: PGlite, log: Logger): Maintenance {
  const files = DurableFiles.of(engine);
  const stopping = new AbortController();
  /** Length of the log at the end of the last run. */
  let maintainedBytes = 0;
  /** Intervals without a run. The first one ends with a run, because the last stop may not have been orderly. */
  let skippedIntervals = MAX_SKIPPED_INTERVALS;
  let isIntervalDue = false;
  let running: Promise<void> | undefined;
  /** Settles after the last work and the maintenance after it. */
  let last: Promise<unknown> = Promise.resolve();

  const grownBytes = () => files.logBytes - maintainedBytes;

  async function run(): Promise<void> {
    try {
      await maintain(engine, stopping.signal);
    } catch (error) {
      if (!stopping.signal.aborted)
        log.error({ err: error }, "the database's maintenance failed and will be retried later");
    } finally {
      [maintainedBytes, skippedIntervals, isIntervalDue] = [files.logBytes, 0, false];
    }
  }

  async function runIfDue(): Promise<void> {
    if (stopping.signal.aborted || (!isIntervalDue && grownBytes() < MAX_LOG_BYTES)) return;
    running = run();
    await running;
  }

  const timer = setInterval(() => {
    skippedIntervals += 1;
    if (grownBytes() < MIN_LOG_BYTES && skippedIntervals < MAX_SKIPPED_INTERVALS) return;
    isIntervalDue = true;
    last = last.then(runIfDue);
  }, INTERVAL_MS).unref();
  return {
    inTurn(work) {
      const result = last.then(work);
      last = result.then(runIfDue, runIfDue);
      return result;
    },
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}

/**
 * Vacuums the tables that have changed, and writes a checkpoint. While one of these statements runs, nothing else in
 * the process does. Each therefore visits only one table, in a turn of the event loop that it does not share.
 *
 * @throws DatabaseError; an error of the disk; the signal's reason between two statements.
 */
export async function maintain(engine: PGlite, signal?: AbortSignal): Promise<void> {
  const run = async <Row>(statement: string): Promise<Row[]> => {
    // Otherwise the statement would flush the log itself, before it writes other files.
    await DurableFiles.of(engine).waitForFlush();
    await nextSlice(signal);
    return (await engine.query<Row>(statement)).rows;
  };
  try {
    // Only after this do the statistics contain the changes of the last second.
    await run('select pg_stat_force_next_flush()');
    for (const { name, shorten } of await run<{ name: string; shorten: boolean }>(changedTables))
      await run(`vacuum (index_cleanup on, process_toast off, skip_database_stats, truncate ${shorten}) ${name}`);
    for (const { name, toast } of await run<{ name: string; toast: string }>(largeTables)) {
      const [count] = await run<{ parts: number }>(countParts(toast));
      if (count !== undefined && count.parts <= MAX_REWRITTEN_PARTS) await run(`vacuum (full) ${name}`);
    }
    await run('vacuum (only_database_stats)');
  } finally {
    // Without it, the engine would not log the next changes of the same pages as whole pages.
    await run('checkpoint');
  }
}
