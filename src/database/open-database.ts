import type { Logger } from 'pino';
import type { fileSettings } from '../files/settings.ts';
import type { SettingValues } from '../settings/setting.ts';
import type { Database } from './database.ts';
import { type EmbeddedDatabase, openEmbeddedDatabase } from './embedded/embedded-database.ts';
import type { EngineOptions } from './embedded/open-engine.ts';
import type { databaseSettings } from './settings.ts';

/**
 * Maximum time for the snapshot during a stop; shorter than the time limit for closing all resources
 * (process/run-process.ts).
 */
const LAST_SNAPSHOT_MS = 4_000;

type DatabaseSettings = SettingValues<typeof databaseSettings> & SettingValues<typeof fileSettings>;

/** Options for opening the embedded database. */
interface OpenOptions extends Pick<EngineOptions, 'restore'> {
  /** Aborted if a stop must not wait for its snapshot. */
  readonly immediateStop?: AbortSignal;
}

/** Opens the database from the settings: a PostgreSQL server, or the embedded database in the data folder. */
export async function openDatabase(
  { DATABASE_URL: url, DATABASE_LISTEN_URL: listenUrl, DATA_DIR: dataDirectory }: DatabaseSettings,
  log: Logger,
  { immediateStop, ...options }: OpenOptions = {},
): Promise<Database> {
  if (url === undefined)
    return withLastSnapshot(await openEmbeddedDatabase(dataDirectory, log, options), log, immediateStop);
  const { openPostgres } = await import('./server/postgres-database.ts');
  return await openPostgres(url, log, { listenUrl });
}

/** Wraps a database so that it writes a snapshot before it closes. */
function withLastSnapshot(database: EmbeddedDatabase, log: Logger, immediateStop?: AbortSignal): Database {
  return {
    ...database,
    async close() {
      const timeout = AbortSignal.timeout(LAST_SNAPSHOT_MS);
      await database
        .snapshot(immediateStop === undefined ? timeout : AbortSignal.any([timeout, immediateStop]))
        .catch((error: unknown) => {
          if (immediateStop?.aborted === true) {
            log.info('the database was closed without a last snapshot, because the stop was immediate');
            return;
          }
          log.error(
            { err: error },
            'could not write a snapshot of the database before stopping; the former one remains',
          );
        });
      await database.close();
    },
  };
}
